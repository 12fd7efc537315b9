import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get, post, put } from './api.js';
import { shared, reason } from './style.js';

/** Shown first; the others come after them. */
const COMMON = ['UseRdma', 'AccessMode', 'PacketSize', 'Reconnect', 'Payload', 'Latency'];

/** A dialog with the parameters for opening a camera. */
class CameraParameters extends LitElement {
  static properties = {
    control: { type: Boolean },
    camera: { state: true },
    registry: { state: true },
    draft: { state: true },
    name: { state: true },
    problem: { state: true },
    filter: { state: true },
  };

  static styles = [
    shared,
    css`
      .list { max-height: 60vh; overflow: auto; }
      td:first-child { font-weight: 600; white-space: nowrap; }
      .soft { font-size: 0.9em; max-width: 34rem; }
    `,
  ];

  constructor() {
    super();
    this.control = false;
    /** @type {import('./types').Camera | null} */
    this.camera = null;
    /** @type {import('./types').Parameter[]} */
    this.registry = [];
    /** @type {Record<string, string>} */
    this.draft = {};
    this.name = '';
    this.problem = '';
    this.filter = '';
  }

  /** @param {import('./types').Camera} camera */
  async show(camera) {
    this.camera = camera;
    this.draft = { ...camera.parameters };
    this.name = camera.configured;
    this.problem = '';
    this.dialog().showModal();
    if (this.registry.length === 0) {
      try {
        this.registry = (await get('/api/parameters')).parameters;
      } catch (e) {
        this.problem = reason(e);
      }
    }
  }

  dialog() {
    return /** @type {HTMLDialogElement} */ (this.renderRoot.querySelector('dialog'));
  }

  async save() {
    const camera = this.camera;
    if (!camera) return;
    /** @type {Record<string, string>} */
    const changed = {};
    for (const { name } of this.registry) {
      const value = this.draft[name] ?? '';
      if (value !== (camera.parameters[name] ?? '')) changed[name] = value;
    }
    try {
      const name = this.name.trim();
      if (!name && camera.configured) await post('/api/configured/remove', { name: camera.configured });
      await put(`/api/cameras/${camera.id}/parameters`, { parameters: changed });
      if (name && name !== camera.configured) await put(`/api/cameras/${camera.id}/configured`, { name });
      this.dialog().close();
    } catch (e) {
      this.problem = reason(e);
    }
  }

  render() {
    const wanted = this.filter.toLowerCase();
    const ordered = [...this.registry].sort((a, b) => rank(a.name) - rank(b.name));
    const shown = ordered.filter((p) => `${p.name} ${p.description}`.toLowerCase().includes(wanted));
    return html`
      <dialog aria-label="Parameters for opening">
        <div class="row">
          <h2>Parameters of ${this.camera?.name || this.camera?.model}</h2>
          <input type="search" placeholder="Search" aria-label="Search parameters"
            @input=${(/** @type {any} */ e) => (this.filter = e.target.value)}>
        </div>
        <p class="soft">They take effect when the camera is opened next. An empty field is the default.</p>
        ${this.camera?.recording
          ? nothing
          : html`<p><label>Keep them under the name
                <input id="configured-name" maxlength="64" .value=${this.name} ?disabled=${!this.control}
                  @input=${(/** @type {any} */ e) => (this.name = e.target.value)}></label>
              <span class="soft">Programs and ./peregrine open the camera by it, with these parameters.</span></p>`}
        ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
        <div class="list"><table>${shown.map((p) => this.line(p))}</table></div>
        <div class="row">
          <button class="primary" ?disabled=${!this.control} @click=${this.save}>Save</button>
          <button @click=${() => this.dialog().close()}>Cancel</button>
        </div>
      </dialog>
    `;
  }

  /** @param {import('./types').Parameter} parameter */
  line(parameter) {
    const { name } = parameter;
    return html`<tr>
      <td><label for=${name}>${name}</label></td>
      <td>
        <input id=${name} .value=${this.draft[name] ?? ''} placeholder=${parameter.default} ?disabled=${!this.control}
          @input=${(/** @type {any} */ e) => (this.draft = { ...this.draft, [name]: e.target.value })}>
        <div class="soft">${parameter.values}</div>
      </td>
      <td class="soft">${parameter.description}.</td>
    </tr>`;
  }
}

/** @param {string} name */
const rank = (name) => (COMMON.includes(name) ? COMMON.indexOf(name) : COMMON.length);

customElements.define('camera-parameters', CameraParameters);
