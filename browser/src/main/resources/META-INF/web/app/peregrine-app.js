import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get, post } from './api.js';
import { events } from './events.js';
import { shared, reason } from './style.js';
import './camera-list.js';
import './feature-tree.js';
import './frame-panel.js';
import './tools-bar.js';
import './work-panel.js';

/** The whole page: cameras, frames and diagnosis, features. */
class PeregrineApp extends LitElement {
  static properties = {
    ready: { type: Boolean },
    role: { state: true },
    problem: { state: true },
    cameras: { state: true },
    selected: { state: true },
    closing: { state: true },
    connected: { state: true },
    invitation: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: grid; grid-template: auto 1fr / 17rem 1fr 25rem; height: 100vh; }
      header { grid-column: 1 / -1; display: flex; gap: 0.8rem; align-items: center; padding: 0.4rem 0.8rem; border-bottom: 1px solid var(--line); background: var(--panel); }
      h1 { font-size: 1.05rem; margin: 0; }
      .grow { flex: 1; }
      camera-list { border-right: 1px solid var(--line); min-height: 0; }
      feature-tree { border-left: 1px solid var(--line); }
      main { display: grid; grid-template-rows: 1fr minmax(7rem, 30%); min-height: 0; min-width: 0; }
      work-panel { border-top: 1px solid var(--line); min-height: 0; }
      .empty { padding: 2rem; }
      code { user-select: all; overflow-wrap: anywhere; }
      @media (max-width: 1100px) {
        :host { grid-template: auto auto minmax(24rem, 1fr) auto / 1fr; height: auto; min-height: 100vh; }
        main { min-height: 36rem; }
        feature-tree { max-height: 40rem; border-left: none; }
      }
    `,
  ];

  constructor() {
    super();
    this.ready = false;
    this.role = '';
    this.problem = '';
    /** @type {import('./types').Camera[]} */
    this.cameras = [];
    this.selected = '';
    this.closing = '';
    this.connected = true;
    this.invitation = '';
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has('ready') && this.ready) this.load();
  }

  async load() {
    try {
      this.role = (await get('/api/session')).role;
    } catch (e) {
      this.problem = reason(e);
      return;
    }
    events.on('connected', () => (this.connected = true));
    events.on('disconnected', () => (this.connected = false));
    events.connect();
  }

  /** @param {string} role */
  async invite(role) {
    const { token } = await post('/api/invitations', { role });
    this.invitation = `${location.origin}/#${token}`;
    this.dialog().showModal();
  }

  /**
   * Shows a camera that was just opened.
   * @param {string} id
   */
  async show(id) {
    await /** @type {any} */ (this.renderRoot.querySelector('camera-list')).load();
    this.selected = id;
  }

  dialog() {
    return /** @type {HTMLDialogElement} */ (this.renderRoot.querySelector('dialog'));
  }

  /** @param {import('./types').Camera[]} cameras */
  take(cameras) {
    this.cameras = cameras;
    const open = cameras.filter((camera) => camera.open);
    if (!open.some((camera) => camera.id === this.selected)) this.selected = open[0]?.id ?? '';
  }

  render() {
    if (this.problem) return html`<div class="empty" role="alert">${this.problem}</div>`;
    if (!this.role) return nothing;
    const control = this.role === 'control';
    const camera = this.cameras.find((c) => c.id === this.selected);
    return html`
      <header>
        <h1>Peregrine</h1>
        ${camera ? html`<span>${camera.configured || camera.name || `${camera.vendor} ${camera.model}`}</span>` : nothing}
        ${this.connected ? nothing : html`<span class="bad" role="alert">The server does not answer; trying again…</span>`}
        <span class="grow"></span>
        <tools-bar ?control=${control} .cameras=${this.cameras} selected=${this.selected}></tools-bar>
        <span class="soft" id="role">${control ? 'You control' : 'You view'}</span>
        ${control
          ? html`<button @click=${() => this.invite('view')}>Invite a viewer</button>
              <button @click=${() => this.invite('control')}>Add a controller</button>`
          : nothing}
      </header>
      <camera-list ?control=${control} selected=${this.selected}
        @cameras=${(/** @type {CustomEvent} */ e) => this.take(e.detail)}
        @camera-closing=${(/** @type {CustomEvent} */ e) => (this.closing = e.detail)}
        @camera-selected=${(/** @type {CustomEvent} */ e) => (this.selected = e.detail)}></camera-list>
      ${camera?.open && camera.id !== this.closing ? this.camera(camera, camera.open, control) : html`<div class="empty soft">Open a camera.</div>`}
      <dialog aria-label="Invitation">
        <p>This address logs in one browser, once:</p>
        <p><code id="invitation">${this.invitation}</code></p>
        <button @click=${() => this.dialog().close()}>Close</button>
      </dialog>
    `;
  }

  /** @param {import('./types').Camera} camera @param {import('./types').OpenCamera} open @param {boolean} control */
  camera(camera, open, control) {
    const monitor = open.accessMode === 'ReadOnly';
    return html`
      <main>
        <frame-panel camera=${camera.id} .stream=${open.stream} ?control=${control}></frame-panel>
        <work-panel camera=${camera.id} .stream=${open.stream} ?control=${control}
          @show-camera=${(/** @type {CustomEvent} */ e) => this.show(e.detail)}></work-panel>
      </main>
      <feature-tree camera=${camera.id} .maps=${open.nodeMaps} ?monitor=${monitor} ?control=${control}></feature-tree>
    `;
  }
}

customElements.define('peregrine-app', PeregrineApp);
