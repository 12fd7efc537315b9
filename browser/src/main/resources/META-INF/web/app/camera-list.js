import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get, giveUp, post } from './api.js';
import { events } from './events.js';
import { shared, reason } from './style.js';
import './camera-address.js';
import './camera-parameters.js';

/** How long after a search the page searches again, without a camera in the list, and with one. */
const SEARCH_AGAIN_MILLIS = 3000;
const LOOK_AFTER_MILLIS = 10_000;

/**
 * Cameras by interface; fires "camera-selected" with the id of an open one, and "camera-closing" with the id of one that
 * is being closed, then without.
 */
class CameraList extends LitElement {
  static properties = {
    control: { type: Boolean },
    selected: { type: String },
    cameras: { state: true },
    configured: { state: true },
    broken: { state: true },
    busy: { state: true },
    problem: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: block; padding: 0.6rem; overflow: auto; }
      ul { list-style: none; margin: 0.2rem 0 0.6rem; padding: 0; }
      li { border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 0.5rem; margin: 0.35rem 0; background: var(--panel); }
      li.selected { border-color: var(--accent); box-shadow: inset 3px 0 0 var(--accent); }
      .name { font-weight: 600; overflow-wrap: anywhere; }
      h3 { font-size: 0.9em; margin: 0.6rem 0 0; color: var(--soft); }
    `,
  ];

  constructor() {
    super();
    this.control = false;
    this.selected = '';
    /** @type {import('./types').Camera[]} */
    this.cameras = [];
    /** @type {import('./types').ConfiguredDevice[]} */
    this.configured = [];
    this.broken = '';
    this.busy = '';
    this.problem = '';
    /** @type {(() => void)[]} */
    this.removers = [];
    this.timer = 0;
    /** What the last search that failed said. */
    this.searchProblem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.removers = ['cameras', 'connection', 'overflow'].map((type) => events.on(type, () => this.load()));
    if (this.control) this.search();
    else this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.removers.forEach((remove) => remove());
    clearTimeout(this.timer);
  }

  /** @param {string} what @param {() => Promise<void>} work */
  async attempt(what, work) {
    this.busy = what;
    this.problem = '';
    try {
      await work();
    } catch (e) {
      this.problem = reason(e);
    } finally {
      this.busy = '';
    }
  }

  search() {
    return this.attempt('search', () => this.lookAround());
  }

  /** The message of a search that failed goes with the next one that succeeds, and no other message. */
  async lookAround() {
    try {
      await this.take(post('/api/search'));
      if (this.problem === this.searchProblem) this.problem = '';
    } catch (e) {
      this.problem = this.searchProblem = reason(e);
    }
  }

  load() {
    return this.quietly(get('/api/cameras'));
  }

  /** @param {Promise<{cameras: import('./types').Camera[]}>} asked */
  async quietly(asked) {
    try {
      await this.take(asked);
    } catch (e) {
      this.problem = reason(e);
    }
  }

  /** A camera that was switched on meanwhile, or answered too late, appears without a click; one that is gone is marked. */
  searchAgainLater() {
    clearTimeout(this.timer);
    if (!this.isConnected || !this.control) return;
    this.timer = window.setTimeout(() => {
      if (document.hidden || this.busy) this.searchAgainLater();
      else this.lookAround();
    }, this.cameras.length ? LOOK_AFTER_MILLIS : SEARCH_AGAIN_MILLIS);
  }

  /**
   * Shows both lists at once: a device that was found must not stay among those that are missing.
   * @param {Promise<{cameras: import('./types').Camera[]}>} asked
   */
  async take(asked) {
    try {
      const [{ cameras }, { devices, broken }] = await Promise.all([asked, this.readConfigured()]);
      this.cameras = cameras;
      this.configured = devices;
      this.broken = broken;
      this.dispatchEvent(new CustomEvent('cameras', { detail: cameras }));
    } finally {
      this.searchAgainLater();
    }
  }

  async readConfigured() {
    try {
      return { devices: (await get('/api/configured')).devices, broken: '' };
    } catch (e) {
      return { devices: [], broken: reason(e) };
    }
  }

  /**
   * A device that no search finds.
   * @param {SubmitEvent} e
   */
  add(e) {
    e.preventDefault();
    const form = /** @type {HTMLFormElement} */ (e.target);
    const device = String(new FormData(form).get('device')).trim();
    if (!device) return;
    this.attempt('add', async () => {
      await post('/api/devices', { device });
      form.reset();
      await this.load();
    });
  }

  /** @param {string} name */
  find(name) {
    return this.attempt(name, async () => {
      await post('/api/configured/find', { name });
      await this.load();
    });
  }

  /** @param {string} name */
  forget(name) {
    return this.attempt(name, async () => {
      await post('/api/configured/remove', { name });
      await this.load();
    });
  }

  /** @param {import('./types').Camera} camera @param {object} [parameters] that count for this time */
  open(camera, parameters) {
    return this.attempt(camera.id, async () => {
      await post(`/api/cameras/${camera.id}/open`, { parameters: parameters ?? {} });
      await this.load();
      this.select(camera.id);
    });
  }

  /** @param {import('./types').Camera} camera */
  close(camera) {
    return this.attempt(camera.id, async () => {
      // The page asks nothing of a camera that it closes: answers to that would be refusals.
      this.closing(camera.id);
      try {
        await new Promise((done) => setTimeout(done));
        giveUp(`/api/cameras/${camera.id}/`);
        await post(`/api/cameras/${camera.id}/close`);
        await this.load();
      } finally {
        this.closing('');
      }
    });
  }

  /** @param {string} id */
  closing(id) {
    this.dispatchEvent(new CustomEvent('camera-closing', { detail: id }));
  }

  /** @param {string} id */
  select(id) {
    this.dispatchEvent(new CustomEvent('camera-selected', { detail: id }));
  }

  /** @param {import('./types').Camera} camera */
  parameters(camera) {
    const dialog = /** @type {any} */ (this.renderRoot.querySelector('camera-parameters'));
    dialog.show(camera);
  }

  /** @param {import('./types').Camera} camera */
  address(camera) {
    const dialog = /** @type {any} */ (this.renderRoot.querySelector('camera-address'));
    dialog.show(camera);
  }

  render() {
    /** @type {Map<string, import('./types').Camera[]>} */
    const groups = new Map();
    for (const camera of this.cameras) {
      const name = camera.recording ? 'Recordings' : camera.interface || 'Unknown interface';
      groups.set(name, [...(groups.get(name) ?? []), camera]);
    }
    return html`
      <div class="row">
        <h2>Cameras</h2>
        <button id="search" ?disabled=${!this.control || this.busy === 'search'} @click=${this.search}>
          ${this.busy === 'search' ? 'Searching…' : 'Search'}
        </button>
      </div>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      ${this.cameras.length === 0 && !this.busy
        ? html`<p class="soft" id="none">No camera answered. Check power, cable and address of the camera. ${
            this.control ? 'The page searches again every few seconds.' : 'Pages with control search for it.'}</p>`
        : nothing}
      ${[...groups].map(([name, cameras]) => html`<h3>${name}</h3><ul>${cameras.map((camera) => this.item(camera))}</ul>`)}
      ${this.missing()}
      <form class="row" @submit=${this.add}>
        <input name="device" aria-label="Address, name or access token of a device" placeholder="Address, name or token"
          ?disabled=${!this.control}>
        <button ?disabled=${!this.control || this.busy === 'add'}>Add</button>
      </form>
      <camera-parameters ?control=${this.control}></camera-parameters>
      <camera-address ?control=${this.control}></camera-address>
    `;
  }

  /** Configured devices that did not answer. */
  missing() {
    if (this.broken) return html`<p role="alert" id="broken">${this.broken}</p>`;
    const missing = this.configured.filter((device) => !this.cameras.some((camera) => camera.configured === device.name));
    if (!missing.length) return nothing;
    return html`<h3>Configured, not found</h3>
      <ul>
        ${missing.map(
          (device) => html`<li data-configured=${device.name}>
            <div class="name">${device.name}</div>
            <div class="soft">${[device.serial, device.mac, device.address].filter(Boolean).join(', ')}</div>
            <div class="row">
              <button ?disabled=${!this.control || this.busy === device.name} @click=${() => this.find(device.name)}>Find</button>
              <button ?disabled=${!this.control} @click=${() => this.forget(device.name)}>Forget</button>
            </div>
          </li>`,
        )}
      </ul>`;
  }

  /** @param {import('./types').Camera} camera */
  item(camera) {
    const busy = this.busy === camera.id;
    const title = camera.configured || camera.name || `${camera.vendor} ${camera.model}`;
    return html`
      <li class=${camera.id === this.selected ? 'selected' : ''} data-camera=${camera.id}>
        <div class="name">${title}</div>
        <div class="soft">${camera.configured ? html`<span class="configured">configured</span>, ` : nothing}${
          camera.name || camera.configured ? `${camera.vendor} ${camera.model}, ` : ''
        }${camera.serial}</div>
        <div class="soft">${camera.file ?? `${camera.properties.DeviceIP}:${camera.properties.DevicePort}`}</div>
        ${camera.present ? nothing : html`<div class="bad">did not answer the last search</div>`}
        ${camera.reachable ? nothing : html`<div class="bad">its address is in another subnet</div>`}
        ${camera.open
          ? html`<div>
              ${camera.recording ? 'replay' : camera.open.accessMode === 'ReadOnly' ? 'monitor' : 'controlled from here'}
              ${camera.open.connection === 'CONNECTED' ? '' : html`<span class="bad">${camera.open.connection.toLowerCase()}</span>`}
            </div>`
          : nothing}
        <div class="row">
          ${camera.open
            ? html`<button @click=${() => this.select(camera.id)}>Show</button>
                <button ?disabled=${!this.control || busy} @click=${() => this.close(camera)}>Close</button>`
            : html`<button class="primary" ?disabled=${!this.control || busy} @click=${() => this.open(camera)}>
                  ${busy ? 'Opening…' : 'Open'}
                </button>
                ${camera.recording
                  ? nothing
                  : html`<button ?disabled=${!this.control || busy} title="Watch it beside the program that controls it"
                      @click=${() => this.open(camera, { AccessMode: 'ReadOnly' })}>Monitor</button>`}`}
          <button @click=${() => this.parameters(camera)} aria-label="Parameters of ${title}">Parameters</button>
          ${camera.recording
            ? nothing
            : html`<button @click=${() => this.address(camera)} aria-label="Address of ${title}">Address</button>`}
        </div>
      </li>
    `;
  }
}

customElements.define('camera-list', CameraList);
