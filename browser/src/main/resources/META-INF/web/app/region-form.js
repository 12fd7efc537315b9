import { LitElement, html, css, nothing } from '../lib/lit.js';
import { put, remove } from './api.js';
import { shared, reason } from './style.js';

/** The region of the sensor that the camera sends, in numbers. Fires "region" as it is edited, "done" when it is set. */
class RegionForm extends LitElement {
  static properties = {
    camera: { attribute: false },
    region: { attribute: false },
    control: { type: Boolean },
    busy: { state: true },
    problem: { state: true },
    written: { state: true },
  };

  static styles = [shared, css`:host { display: block; padding: 0.15rem 0.5rem; font-size: 0.92em; } input { width: 5.5rem; }`];

  constructor() {
    super();
    this.camera = '';
    /** @type {import('./types').Box | null} */
    this.region = null;
    this.control = false;
    this.busy = false;
    this.problem = '';
    /** @type {import('./types').Box | null} */
    this.written = null;
  }

  /** @param {() => Promise<any>} request */
  async attempt(request) {
    this.busy = true;
    this.problem = '';
    try {
      this.written = await request();
      this.dispatchEvent(new CustomEvent('done'));
    } catch (e) {
      this.problem = reason(e);
    } finally {
      this.busy = false;
    }
  }

  /** @param {'x' | 'y' | 'width' | 'height'} name @param {string} label */
  field(name, label) {
    const { region } = this;
    return html`<label>${label} <input type="number" min=${name === 'x' || name === 'y' ? 0 : 1} step="1" id=${name}
      .value=${region ? String(region[name]) : ''} ?disabled=${!this.control}
      @change=${(/** @type {any} */ e) =>
        this.dispatchEvent(new CustomEvent('region', {
          detail: { x: 0, y: 0, width: 1, height: 1, ...region, [name]: Math.round(Number(e.target.value)) },
        }))}></label>`;
  }

  render() {
    const { region, written } = this;
    const path = `/api/cameras/${this.camera}/region`;
    return html`
      <div class="row" role="group" aria-label="Region of the sensor">
        ${this.field('x', 'x')} ${this.field('y', 'y')} ${this.field('width', 'width')} ${this.field('height', 'height')}
        <button class="primary" id="apply-region" ?disabled=${!this.control || this.busy || !region}
          @click=${() => this.attempt(() => put(path, region ?? {}))}>Apply</button>
        <button id="whole-region" ?disabled=${!this.control || this.busy}
          @click=${() => this.attempt(() => remove(path))}>Whole sensor</button>
        <span role="status" class="soft" id="written">${this.busy
          ? 'setting…'
          : written ? `set to ${written.width} x ${written.height} at (${written.x}, ${written.y})` : 'draw it on the image'}</span>
      </div>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
    `;
  }
}

customElements.define('region-form', RegionForm);
