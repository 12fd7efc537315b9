import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get, put } from './api.js';
import { events } from './events.js';
import { shared, reason } from './style.js';

const MAX_EVENTS = 200;

/** The events that a camera sends: which are switched on, and the newest, with the values that came with them. */
class EventsPanel extends LitElement {
  static properties = {
    camera: { type: String },
    control: { type: Boolean },
    names: { state: true },
    enabled: { state: true },
    list: { state: true },
    skipped: { state: true },
    problem: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: block; }
      table { font-variant-numeric: tabular-nums; }
    `,
  ];

  constructor() {
    super();
    this.camera = '';
    this.control = false;
    /** @type {string[]} */
    this.names = [];
    /** @type {string[]} */
    this.enabled = [];
    /**
     * The newest first.
     * @type {import('./types').CameraEvent[]}
     */
    this.list = [];
    this.skipped = 0;
    this.problem = '';
    /** @type {(() => void)[]} */
    this.removers = [];
  }

  connectedCallback() {
    super.connectedCallback();
    this.removers = [
      events.on('device-events', (event) => {
        if (event.camera !== this.camera) return;
        this.enabled = event.enabled;
        this.skipped += event.skipped;
        this.add(event.events);
      }),
      events.on('overflow', () => this.load()),
    ];
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.removers.forEach((remove) => remove());
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('camera') && this.camera) {
      this.skipped = 0;
      this.load();
    }
  }

  /**
   * Lists each event once, whether it comes as news, in an answer, or both.
   * @param {import('./types').CameraEvent[]} events
   */
  add(events) {
    const listed = new Set(this.list.map((event) => event.number));
    this.list = [...this.list, ...events.filter((event) => !listed.has(event.number))]
      .sort((a, b) => b.number - a.number)
      .slice(0, MAX_EVENTS);
  }

  /** @param {() => Promise<void>} work */
  async attempt(work) {
    this.problem = '';
    try {
      await work();
    } catch (e) {
      this.problem = reason(e);
      this.requestUpdate();
    }
  }

  load() {
    this.list = [];
    return this.attempt(async () => {
      const answer = await get(`/api/cameras/${this.camera}/events`);
      this.names = answer.names;
      this.enabled = answer.enabled;
      this.add(answer.events);
    });
  }

  /** @param {string} name @param {boolean} on */
  set(name, on) {
    return this.attempt(async () => {
      this.enabled = (await put(`/api/cameras/${this.camera}/events/${name}`, { on })).enabled;
    });
  }

  render() {
    if (!this.names.length) return html`<p class="soft">${this.problem || 'The camera has no events.'}</p>`;
    return html`
      <div class="row" role="group" aria-label="Events that are switched on">
        ${this.names.map(
          (name) => html`<label><input type="checkbox" data-event=${name} .checked=${this.enabled.includes(name)} ?disabled=${!this.control}
            @change=${(/** @type {any} */ e) => this.set(name, e.target.checked)}> ${name}</label>`,
        )}
        <button id="clear" @click=${() => { this.list = []; this.skipped = 0; }}>Clear</button>
      </div>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      ${this.skipped ? html`<p class="soft" id="skipped">${this.skipped} more came than are shown.</p>` : nothing}
      <table id="events">
        <tr><th>Event</th><th>Timestamp</th><th>Block</th><th>Values</th></tr>
        ${this.list.map(
          (event) => html`<tr data-name=${event.name}><td>${event.name}</td><td class="time">${event.timestamp}</td><td>${event.block}</td>
            <td>${Object.entries(event.values).map(([name, value]) => html`<div data-value=${name}>${name} = ${value}</div>`)}</td></tr>`,
        )}
      </table>
    `;
  }
}

customElements.define('events-panel', EventsPanel);
