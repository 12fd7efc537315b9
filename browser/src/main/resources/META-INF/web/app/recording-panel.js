import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get, post } from './api.js';
import { events } from './events.js';
import { shared, reason } from './style.js';

/** Recording of one camera, also of the seconds before a trigger, and the recordings that are there. */
class RecordingPanel extends LitElement {
  static properties = {
    camera: { type: String },
    control: { type: Boolean },
    recording: { state: true },
    recordings: { state: true },
    problem: { state: true },
    label: { state: true },
    seconds: { state: true },
    preTrigger: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: block; }
      input { width: 9rem; }
      input[type='number'] { width: 5rem; }
      .row { margin: 0.3rem 0; }
    `,
  ];

  constructor() {
    super();
    this.camera = '';
    this.control = false;
    /** @type {import('./types').RecordingState | null} */
    this.recording = null;
    /** @type {import('./types').RecordingEntry[]} */
    this.recordings = [];
    this.problem = '';
    this.label = '';
    this.seconds = 0;
    this.preTrigger = 10;
    this.timer = 0;
    /** @type {(() => void)[]} */
    this.removers = [];
  }

  connectedCallback() {
    super.connectedCallback();
    this.removers = [
      events.on('recording', (event) => {
        if (event.camera === this.camera) this.load();
      }),
      events.on('stream', (event) => {
        if (event.camera === this.camera) this.loadState();
      }),
    ];
    this.timer = window.setInterval(() => {
      if (this.recording && this.recording.state !== 'idle' && !document.hidden) this.loadState();
    }, 500);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.removers.forEach((remove) => remove());
    clearInterval(this.timer);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('camera') && this.camera) {
      this.recording = null;
      this.load();
    }
  }

  async load() {
    await this.loadState();
    await this.attempt(async () => {
      this.recordings = (await get('/api/recordings')).recordings;
    });
  }

  loadState() {
    const { camera } = this;
    return this.attempt(async () => {
      const state = await get(`/api/cameras/${camera}/recording`);
      if (camera === this.camera) this.recording = state;
    });
  }

  /** @param {() => Promise<void>} work */
  async attempt(work) {
    try {
      await work();
    } catch (e) {
      this.problem = reason(e);
    }
  }

  /** @param {string} what @param {object} [body] */
  command(what, body) {
    this.problem = '';
    return this.attempt(async () => {
      this.recording = await post(`/api/cameras/${this.camera}/recording/${what}`, body);
    });
  }

  /** @param {string} name */
  replay(name) {
    this.problem = '';
    return this.attempt(async () => {
      const device = await post(`/api/recordings/${encodeURIComponent(name)}/replay`);
      await post(`/api/cameras/${device.id}/open`);
      this.dispatchEvent(new CustomEvent('show-camera', { detail: device.id, bubbles: true, composed: true }));
    });
  }

  render() {
    const { recording } = this;
    if (!recording) return this.problem ? html`<p role="alert">${this.problem}</p>` : nothing;
    const idle = recording.state === 'idle';
    const armed = recording.state === 'armed';
    const running = recording.streaming;
    const blocked = !this.control || !running;
    return html`
      <div class="row">
        <label>Name <input id="label" maxlength="40" pattern="[A-Za-z0-9_-]*" .value=${this.label} ?disabled=${!this.control}
          @input=${(/** @type {any} */ e) => (this.label = e.target.value)}></label>
        <label>Seconds <input id="seconds" type="number" min="0" .value=${String(this.seconds)} ?disabled=${!this.control}
          title="0 records until it is stopped" @input=${(/** @type {any} */ e) => (this.seconds = Number(e.target.value))}></label>
        ${idle
          ? html`<button id="record" class="primary" ?disabled=${blocked}
                @click=${() => this.command('start', { label: this.label, seconds: this.seconds })}>Record</button>
              <label>Keep the last <input id="before" type="number" min="1" max="600" .value=${String(this.preTrigger)}
                ?disabled=${!this.control} @input=${(/** @type {any} */ e) => (this.preTrigger = Number(e.target.value))}> s</label>
              <button id="arm" ?disabled=${blocked} @click=${() => this.command('arm', { before: this.preTrigger })}>Keep</button>`
          : nothing}
        ${armed
          ? html`<button id="trigger" class="primary" ?disabled=${!this.control}
              @click=${() => this.command('trigger', { label: this.label, seconds: this.seconds })}>Record these, and go on</button>`
          : nothing}
        ${idle ? nothing : html`<button id="stop-recording" ?disabled=${!this.control} @click=${() => this.command('stop')}>
          ${armed ? 'Discard' : 'Stop recording'}</button>`}
        ${running ? nothing : html`<span class="soft">Start the stream first.</span>`}
      </div>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      ${recording.problem ? html`<p role="alert">${recording.problem}</p>` : nothing}
      <div role="status" id="progress">${this.progress(recording)}</div>
      <div class="soft" id="free">${megabytes(recording.freeBytes)} free in ${recording.folder}</div>
      ${this.recordings.length
        ? html`<table aria-label="Recordings">
            ${this.recordings.map(
              (entry) => html`<tr data-recording=${entry.name}>
                <td>${entry.name}</td><td>${megabytes(entry.bytes)}</td>
                <td>${new Date(entry.modifiedMillis).toLocaleString()}</td>
                <td><button ?disabled=${!this.control} @click=${() => this.replay(entry.name)} aria-label="Replay ${entry.name}">Replay</button></td>
              </tr>`,
            )}
          </table>`
        : nothing}
    `;
  }

  /** @param {import('./types').RecordingState} recording */
  progress(recording) {
    const { counts } = recording;
    if (recording.state === 'armed') {
      return html`<span id="kept">${recording.keptFrames} frames of the last ${recording.keptSeconds.toFixed(1)} s are kept,
        ${megabytes(recording.keptBytes)}</span>${recording.limited ? html`<span class="bad">: there is no memory for more</span>` : nothing}`;
    }
    if (!counts) return nothing;
    return html`<b>${recording.state === 'idle' ? 'recorded' : recording.state}</b> ${recording.target}:
      <span id="frames">${counts.frames}</span> frames, ${megabytes(counts.bytes)}, ${counts.waiting} waiting
      ${counts.dropped === '0' ? nothing : html`<span class="bad">, ${counts.dropped} dropped because the disk is too slow</span>`}
      ${counts.incomplete === '0' ? nothing : html`, ${counts.incomplete} incomplete ones skipped`}`;
  }
}

/** @param {string} bytes */
const megabytes = (bytes) => {
  const value = Number(bytes);
  if (value < 0) return 'an unknown amount';
  return value >= 1e9 ? `${(value / 1e9).toFixed(1)} GB` : `${(value / 1e6).toFixed(2)} MB`;
};

customElements.define('recording-panel', RecordingPanel);
