import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get, post } from './api.js';
import { shared, reason } from './style.js';

/** A dialog with the address of a camera: who controls it, and another address, after a second confirmation. */
class CameraAddress extends LitElement {
  static properties = {
    control: { type: Boolean },
    camera: { state: true },
    address: { state: true },
    wanted: { state: true },
    question: { state: true },
    busy: { state: true },
    done: { state: true },
    problem: { state: true },
  };

  static styles = [
    shared,
    css`
      .question { border: 2px solid var(--bad); border-radius: 6px; padding: 0.5rem; }
    `,
  ];

  constructor() {
    super();
    this.control = false;
    /** @type {import('./types').Camera | null} */
    this.camera = null;
    /** @type {import('./types').CameraAddress | null} */
    this.address = null;
    this.wanted = '';
    /** @type {{what: string, confirmation: string} | null} */
    this.question = null;
    this.busy = false;
    this.done = '';
    this.problem = '';
  }

  /** @param {import('./types').Camera} camera */
  async show(camera) {
    this.camera = camera;
    this.address = null;
    this.wanted = '';
    this.question = null;
    this.done = '';
    this.dialog().showModal();
    await this.attempt(() => this.load());
  }

  async load() {
    this.address = await get(`/api/cameras/${this.camera?.id}/address`);
  }

  dialog() {
    return /** @type {HTMLDialogElement} */ (this.renderRoot.querySelector('dialog'));
  }

  /** @param {() => Promise<void>} work */
  async attempt(work) {
    this.busy = true;
    this.problem = '';
    try {
      await work();
    } catch (e) {
      this.problem = reason(e);
    } finally {
      this.busy = false;
    }
  }

  suggest() {
    return this.attempt(async () => {
      this.wanted = (await post(`/api/cameras/${this.camera?.id}/address/suggest`)).address;
    });
  }

  check() {
    this.done = '';
    return this.attempt(async () => {
      this.question = await post(`/api/cameras/${this.camera?.id}/address/check`, {
        address: this.wanted.trim(),
        persistent: this.camera?.open !== undefined,
      });
    });
  }

  confirm() {
    const { question } = this;
    this.question = null;
    return this.attempt(async () => {
      await post(`/api/cameras/${this.camera?.id}/address/apply`, { confirmation: question?.confirmation });
      this.done = 'done';
      await this.load();
    });
  }

  render() {
    const { address, camera, question } = this;
    const open = camera?.open !== undefined;
    const blocked = !this.control || this.busy;
    return html`<dialog aria-label="Address">
      <h2>Address of ${camera?.name || camera?.model}</h2>
      ${address
        ? html`<table>
            <tr><td>now</td><td id="present">${address.current ?? address.present}</td></tr>
            ${address.persistent ? html`<tr><td>kept</td><td id="kept">${address.persistent}</td></tr>` : nothing}
            ${address.enabled ? html`<tr><td>ways to an address</td><td>${address.enabled.join(', ')}</td></tr>` : nothing}
            ${address.controller ? html`<tr><td>controlled by</td><td id="controller">${address.controller}</td></tr>` : nothing}
          </table>`
        : nothing}
      <p class="soft">${open
        ? 'The camera keeps this address, and uses it when it starts next. Close it to give it another one at once.'
        : 'The camera gets this address until it restarts (FORCEIP). Open it to set the address that it keeps.'}</p>
      <div class="row">
        <input id="wanted" aria-label="New address" placeholder="192.0.2.7/24" .value=${this.wanted} ?disabled=${blocked}
          @input=${(/** @type {any} */ e) => (this.wanted = e.target.value)}>
        ${open ? nothing : html`<button ?disabled=${blocked} @click=${this.suggest}>Suggest</button>`}
        <button ?disabled=${blocked} @click=${this.check}>Change</button>
        <button @click=${() => this.dialog().close()}>Done</button>
      </div>
      ${question
        ? html`<div class="question" role="alertdialog" aria-label="Confirmation">
            <p id="what">${question.what}.</p>
            <button id="confirm" ?disabled=${blocked} @click=${this.confirm}>Do it</button>
            <button @click=${() => (this.question = null)}>Cancel</button>
          </div>`
        : nothing}
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      <div role="status" id="done">${this.busy ? 'Working…' : this.done}</div>
    </dialog>`;
  }
}

customElements.define('camera-address', CameraAddress);
