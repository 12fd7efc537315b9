import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get } from './api.js';
import { events } from './events.js';
import { shared, reason } from './style.js';

const HISTORY = 120;

/** Counters shown first, in this order, as they have names in StreamStatistics.Counter. */
const FIRST = ['FRAMES_COMPLETE', 'FRAMES_INCOMPLETE', 'BLOCK_ID_GAPS', 'PACKETS_RECEIVED', 'PACKETS_MISSING', 'BYTES_RECEIVED'];

/** What is going on: how frames arrive and why so, counters with their history, and what went wrong. */
class DiagnosisPanel extends LitElement {
  static properties = {
    camera: { type: String },
    stream: { attribute: false },
    statistics: { state: true },
    history: { state: true },
    diagnosis: { state: true },
    viewers: { state: true },
    problem: { state: true },
    all: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: block; padding: 0.6rem; overflow: auto; }
      .counters { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.15rem 1rem; }
      .counter { display: flex; justify-content: space-between; gap: 0.5rem; font-variant-numeric: tabular-nums; }
      svg { height: 2.2rem; width: 12rem; background: var(--back); }
      .counter svg { height: 1.2rem; width: 4rem; flex: none; margin-left: auto; }
      polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
      ul { margin: 0.2rem 0; padding-left: 1.2rem; }
    `,
  ];

  constructor() {
    super();
    this.camera = '';
    /** @type {import('./types').StreamState | null} */
    this.stream = null;
    /** @type {Record<string, string>} */
    this.statistics = {};
    /**
     * What each counter grew by in a second.
     * @type {Record<string, number>[]}
     */
    this.history = [];
    /** @type {string[]} */
    this.diagnosis = [];
    this.viewers = 0;
    this.problem = '';
    this.all = false;
    /** @type {{at: number, counters: Record<string, string>} | null} */
    this.last = null;
    /** @type {(() => void)[]} */
    this.removers = [];
    this.timer = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.removers = [
      events.on('statistics', (event) => {
        if (event.camera === this.camera) this.take(event.statistics);
      }),
      events.on('stream', (event) => {
        if (event.camera !== this.camera) return;
        this.stream = event.stream;
        this.last = null;
        this.load();
      }),
    ];
    this.timer = window.setInterval(() => {
      if (this.stream?.running && !document.hidden) this.load();
    }, 3000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.removers.forEach((remove) => remove());
    clearInterval(this.timer);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('camera') && this.camera) {
      this.history = [];
      this.last = null;
      this.statistics = {};
      this.diagnosis = [];
      this.load();
    }
  }

  async load() {
    const { camera } = this;
    try {
      const answer = await get(`/api/cameras/${camera}/stream/diagnosis`);
      if (camera !== this.camera) return;
      this.diagnosis = answer.diagnosis;
      this.viewers = answer.viewers;
      this.statistics = answer.statistics;
      this.problem = '';
    } catch (e) {
      this.problem = reason(e);
    }
  }

  /** @param {Record<string, string>} statistics */
  take(statistics) {
    this.statistics = statistics;
    const now = { at: performance.now(), counters: statistics };
    if (this.last) {
      const rates = this.rates(this.last, now);
      if (Object.values(rates).every((rate) => rate >= 0)) this.history = [...this.history, rates].slice(-HISTORY);
    }
    this.last = now;
  }

  /** @param {{at: number, counters: Record<string, string>}} before @param {{at: number, counters: Record<string, string>}} now */
  rates(before, now) {
    const seconds = (now.at - before.at) / 1000;
    /** @type {Record<string, number>} */
    const rates = {};
    for (const [name, value] of Object.entries(now.counters)) {
      rates[name] = Number(BigInt(value) - BigInt(before.counters[name] ?? 0)) / seconds;
    }
    return rates;
  }

  render() {
    const names = Object.keys(this.statistics);
    const first = FIRST.filter((name) => names.includes(name));
    const rest = names.filter((name) => !first.includes(name) && (this.all || this.statistics[name] !== '0'));
    const newest = this.history.at(-1)?.FRAMES_COMPLETE;
    return html`
      <div class="row">
        <h2>Diagnosis</h2>
        ${this.mode()}
        ${newest !== undefined ? html`<span id="arriving">${newest.toFixed(1)} frames/s arriving</span>` : nothing}
        ${this.chart('FRAMES_COMPLETE', 'Frames')}
        <span class="soft">${this.viewers} viewer${this.viewers === 1 ? '' : 's'}</span>
      </div>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      ${this.diagnosis.length
        ? html`<ul id="diagnosis">${this.diagnosis.map((sentence) => html`<li>${sentence}</li>`)}</ul>`
        : html`<p class="soft" id="diagnosis">${this.stream?.running ? 'Nothing is lost.' : ''}</p>`}
      ${names.length
        ? html`<div class="counters">
              ${[...first, ...rest].map((name) => html`<div class="counter">
                <span>${this.words(name)}</span>
                ${this.history.some((rates) => rates[name]) ? this.chart(name, this.words(name)) : nothing}<span data-counter=${name}>${this.statistics[name]}</span>
              </div>`)}
            </div>
            <label class="soft"><input type="checkbox" .checked=${this.all}
              @change=${(/** @type {any} */ e) => (this.all = e.target.checked)}> also counters that are 0</label>`
        : nothing}
    `;
  }

  mode() {
    const { stream } = this;
    if (!stream?.protocol) return nothing;
    const rdma = stream.rdma ? ` (${[stream.rdma.provider, stream.rdma.device, stream.rdma.mode].filter(Boolean).join(', ')})` : '';
    const why = stream.reason || stream.rdma?.reason || '';
    return html`<span id="mode">streaming over ${stream.protocol}${rdma}${
      stream.requested !== stream.protocol ? html`, <b>${stream.requested} was requested</b>` : nothing
    }${why ? `: ${why}` : ''}</span>`;
  }

  /** @param {string} counter */
  words(counter) {
    return counter.toLowerCase().replaceAll('_', ' ');
  }

  /**
   * How fast a counter grew.
   * @param {string} counter
   * @param {string} title
   */
  chart(counter, title) {
    const rates = this.history.map((entry) => entry[counter] ?? 0);
    const most = Math.max(1, ...rates);
    const points = rates.map((rate, i) => `${i},${30 - (28 * rate) / most}`).join(' ');
    return html`<svg data-chart=${counter} viewBox="0 0 ${HISTORY} 30" preserveAspectRatio="none" role="img"
      aria-label="${title} a second in the last minute, at most ${most.toFixed(0)}"><polyline points=${points}></polyline></svg>`;
  }
}

customElements.define('diagnosis-panel', DiagnosisPanel);
