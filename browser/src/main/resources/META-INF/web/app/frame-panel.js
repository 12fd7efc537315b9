import { LitElement, html, css, nothing } from '../lib/lit.js';
import { post } from './api.js';
import { events } from './events.js';
import { FrameClient } from './frame-client.js';
import { shared, reason } from './style.js';
import './chunk-table.js';
import './frame-tile.js';

/**
 * What is sent: the values of the camera, or JPEG of a quality.
 * @type {[number, string][]}
 */
const QUALITIES = [[0, 'values'], [90, 'JPEG, fine'], [75, 'JPEG'], [50, 'JPEG, small']];

/** The frames of one camera: start and stop, and its components as tabs or side by side. */
class FramePanel extends LitElement {
  static properties = {
    camera: { type: String },
    stream: { attribute: false },
    control: { type: Boolean },
    layout: { state: true },
    shown: { state: true },
    tiles: { type: Boolean, reflect: true },
    problem: { state: true },
    busy: { state: true },
    rate: { state: true },
    notice: { state: true },
    quality: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; overflow: auto; padding: 0.6rem; gap: 0.4rem; }
      .views { flex: 1 0 auto; min-height: 8rem; display: grid; gap: 4px; grid-auto-rows: 1fr; }
      :host([tiles]) .views { grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); }
      [role='tab'][aria-selected='true'] { border-color: var(--accent); border-bottom-width: 3px; }
      .empty { display: grid; place-items: center; border: 1px dashed var(--line); border-radius: 6px; flex: 1; }
    `,
  ];

  constructor() {
    super();
    this.camera = '';
    /** @type {import('./types').StreamState | null} */
    this.stream = null;
    this.control = false;
    /** @type {import('./types').LayerInfo[]} */
    this.layout = [];
    this.shown = 0;
    this.tiles = false;
    this.problem = '';
    this.busy = false;
    this.rate = '';
    this.quality = 0;
    /** @type {{state: string, reason: string, problems: string[]} | null} */
    this.notice = null;
    /** @type {FrameClient | null} */
    this.client = null;
    this.frames = 0;
    this.since = performance.now();
    /** @type {(() => void)[]} */
    this.removers = [];
    this.timer = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.removers = [
      events.on('stream', (event) => {
        if (event.camera === this.camera) this.stream = event.stream;
      }),
      events.on('connection', (event) => {
        if (event.camera === this.camera) this.notice = { reason: '', ...event };
      }),
    ];
    this.timer = window.setInterval(() => this.measure(), 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.removers.forEach((remove) => remove());
    clearInterval(this.timer);
    this.client?.close();
    this.client = null;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('camera') && this.camera) this.connect();
  }

  connect() {
    this.client?.close();
    this.layout = [];
    this.problem = '';
    this.notice = null;
    this.client = new FrameClient(this.camera, {
      onLayout: (items) => this.arrange(items),
      onLayer: (layer) => this.show(layer),
      onFrame: () => this.frames++,
      onClose: (text) => (this.problem = text),
    });
    this.client.compress(this.quality);
  }

  /** @param {import('./types').LayerInfo[]} items */
  arrange(items) {
    this.layout = items;
    if (!items.some((item) => item.index === this.shown)) this.shown = items[0]?.index ?? 0;
    this.choose();
  }

  choose() {
    this.client?.choose(this.tiles ? this.layout.map((item) => item.index) : [this.shown]);
  }

  /** @param {import('./types').Layer} layer */
  show(layer) {
    const tile = /** @type {any} */ (this.renderRoot.querySelector(`frame-tile[data-item="${layer.index}"]`));
    tile?.show(layer);
  }

  measure() {
    const now = performance.now();
    const rate = (this.frames * 1000) / (now - this.since);
    this.rate = this.stream?.running ? `${rate.toFixed(1)} frames/s drawn` : '';
    this.frames = 0;
    this.since = now;
  }

  /** @param {string} what */
  async command(what) {
    this.busy = true;
    this.problem = '';
    try {
      this.stream = await post(`/api/cameras/${this.camera}/stream/${what}`);
    } catch (e) {
      this.problem = reason(e);
    } finally {
      this.busy = false;
    }
  }

  /** @param {number} index */
  select(index) {
    this.shown = index;
    this.choose();
  }

  /** @param {number} quality */
  compress(quality) {
    this.quality = quality;
    this.client?.compress(quality);
  }

  /** @param {boolean} on */
  setTiles(on) {
    this.tiles = on;
    this.choose();
  }

  /** @param {import('./types').LayerInfo} item */
  caption(item) {
    const same = this.layout.filter((other) => other.component === item.component);
    const place = [item.role && item.role !== 'mono' && item.role !== item.component ? item.role : '', same.length > 1 ? `#${item.index}` : ''];
    return [item.component.replaceAll('_', ' '), ...place].filter(Boolean).join(' ');
  }

  /** What happened to the connection to the camera. */
  connection() {
    const { notice } = this;
    if (!notice || notice.state === 'CLOSED') return nothing;
    if (notice.state === 'CONNECTED') {
      return html`<p role="status" id="connection">The camera is connected again${notice.problems.length
        ? html`, but ${notice.problems.map((p) => html`<br>${p}`)}` : '.'}</p>`;
    }
    const next = notice.state === 'RECONNECTING' ? 'It is being looked for.' : 'Close and open it to go on.';
    return html`<p role="alert" id="connection">The connection to the camera was lost${notice.reason
      ? `: ${notice.reason.replace(/\.$/, '')}` : ''}. ${next}</p>`;
  }

  render() {
    const running = this.stream?.running ?? false;
    const visible = this.tiles ? this.layout : this.layout.filter((item) => item.index === this.shown);
    return html`
      <div class="row">
        ${running
          ? html`<button id="stop" ?disabled=${!this.control || this.busy} @click=${() => this.command('stop')}>Stop</button>`
          : html`<button id="start" class="primary" ?disabled=${!this.control || this.busy} @click=${() => this.command('start')}>
              ${this.busy ? 'Starting…' : 'Start'}
            </button>`}
        <div role="tablist" aria-label="Components" class="row">
          ${this.layout.length > 1
            ? this.layout.map(
                (item) => html`<button role="tab" data-tab=${item.index} ?disabled=${this.tiles}
                  aria-selected=${!this.tiles && item.index === this.shown} @click=${() => this.select(item.index)}>
                  ${this.caption(item)}</button>`,
              )
            : nothing}
        </div>
        ${this.layout.length > 1
          ? html`<label><input id="tiles" type="checkbox" .checked=${this.tiles}
              @change=${(/** @type {any} */ e) => this.setTiles(e.target.checked)}> side by side</label>`
          : nothing}
        <label title="JPEG is for slow lines: fewer bytes, 8 bits">send <select id="quality"
          @change=${(/** @type {any} */ e) => this.compress(Number(e.target.value))}>
          ${QUALITIES.map(([quality, label]) => html`<option value=${quality} ?selected=${quality === this.quality}>${label}</option>`)}
        </select></label>
        <span class="soft" id="rate">${this.rate}</span>
      </div>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      ${this.connection()}
      ${this.stream?.ended ? html`<p role="alert">The stream ended: ${this.stream.ended}</p>` : nothing}
      ${visible.length
        ? html`<div class="views">
            ${visible.map(
              (item) => html`<frame-tile data-item=${item.index} .info=${item} .caption=${this.caption(item)}
                .camera=${this.camera} ?running=${running} ?compact=${this.tiles} ?control=${this.control}></frame-tile>`,
            )}
          </div>`
        : html`<div class="empty soft">${running ? 'Waiting for the first frame…' : 'Not streaming.'}</div>`}
      <chunk-table camera=${this.camera} ?running=${running}></chunk-table>
    `;
  }
}

customElements.define('frame-panel', FramePanel);
