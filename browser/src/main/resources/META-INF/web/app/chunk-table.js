import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get } from './api.js';
import { shared, reason } from './style.js';

const MILLIS = 1000;

/** Timestamp and chunk values of the newest frame, read once a second while it is open. */
class ChunkTable extends LitElement {
  static properties = {
    camera: { type: String },
    running: { type: Boolean },
    answer: { state: true },
    problem: { state: true },
    open: { state: true },
  };

  static styles = [shared, css`table { font-variant-numeric: tabular-nums; } .list { max-height: 9rem; overflow: auto; }`];

  constructor() {
    super();
    this.camera = '';
    this.running = false;
    /** @type {{block: string, timestamp: string, values: Record<string, {value: string, unit?: string}>} | null} */
    this.answer = null;
    this.problem = '';
    this.open = false;
    this.timer = 0;
    this.reading = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.read(), MILLIS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  async read() {
    if (!this.open || !this.running || this.reading || document.hidden) return;
    this.reading = true;
    try {
      this.answer = await get(`/api/cameras/${this.camera}/stream/chunks`);
      this.problem = '';
    } catch (e) {
      if (this.running) this.problem = reason(e);
    } finally {
      this.reading = false;
    }
  }

  render() {
    const { answer } = this;
    const entries = Object.entries(answer?.values ?? {});
    return html`<details @toggle=${(/** @type {any} */ e) => { this.open = e.target.open; this.read(); }}>
      <summary>Chunk values</summary>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      ${answer
        ? html`<div class="list"><table>
            <tr><th scope="row">block</th><td id="block">${answer.block}</td></tr>
            <tr><th scope="row">timestamp</th><td>${answer.timestamp}</td></tr>
            ${entries.map(([name, { value, unit }]) => html`<tr><th scope="row">${name}</th>
              <td data-chunk=${name}>${value} ${unit ?? ''}</td></tr>`)}
          </table></div>
          ${entries.length ? nothing : html`<p class="soft">The frames have no chunk data: ChunkModeActive switches it on.</p>`}`
        : nothing}
    </details>`;
  }
}

customElements.define('chunk-table', ChunkTable);
