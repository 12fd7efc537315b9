import { html, nothing } from '../lib/lit.js';
import { get, post, put } from './api.js';
import { ToolDialog } from './tool-dialog.js';

const FEATURES = /** @type {const} */ (['PtpStatus', 'PtpOffsetFromMaster', 'PtpClockID', 'PtpParentClockID', 'PtpGrandmasterClockID']);

/** The clocks of the open cameras, and actions that make them act together. */
class TimeDialog extends ToolDialog {
  static properties = {
    clocks: { state: true },
    answers: { state: true },
  };

  constructor() {
    super();
    /** @type {import('./types').CameraClock[]} */
    this.clocks = [];
    /** @type {import('./types').ActionAnswer[] | null} */
    this.answers = null;
    this.timer = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = window.setInterval(() => {
      if (this.dialog()?.open && !document.hidden && !this.busy) this.load().catch(() => {});
    }, 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  show() {
    super.show();
    this.answers = null;
    this.attempt('', () => this.load());
  }

  async load() {
    this.clocks = (await get('/api/clocks')).clocks;
  }

  /** @param {string} id @param {boolean} on */
  ptp(id, on) {
    return this.attempt('', async () => {
      await put(`/api/cameras/${id}/ptp`, { on });
      await this.load();
    });
  }

  /** @param {string} id of an input */
  field(id) {
    return /** @type {HTMLInputElement} */ (this.renderRoot.querySelector(`#${id}`)).value.trim();
  }

  action() {
    return {
      cameras: this.open().map((camera) => camera.id),
      deviceKey: this.field('device-key'),
      groupKey: this.field('group-key'),
      groupMask: this.field('group-mask'),
    };
  }

  keys() {
    return this.attempt('the cameras listen to these keys', async () => {
      await post('/api/actions/keys', { ...this.action(), signal: this.field('signal') });
    });
  }

  send() {
    this.answers = null;
    const delay = this.field('delay');
    return this.attempt('sent', async () => {
      this.answers = (await post('/api/actions/send', { ...this.action(), ...(delay ? { delayMillis: Number(delay) } : {}) })).cameras;
    });
  }

  render() {
    const blocked = !this.control || this.busy || !this.clocks.length;
    return this.frame(
      'Clocks and actions',
      html`${this.clocks.length ? this.table() : html`<p>Open the cameras first.</p>`}
        <fieldset>
          <legend>Action to all open cameras</legend>
          <div class="row">
            <label>Device key <input id="device-key" size="12" value="0x1"></label>
            <label>Group key <input id="group-key" size="12" value="0x1"></label>
            <label>Group mask <input id="group-mask" size="12" value="0xFFFFFFFF"></label>
          </div>
          <div class="row">
            <label>Signal <input id="signal" type="number" min="0" max="127" value="0"></label>
            <button id="keys" ?disabled=${blocked} title="Their signal acts when an action has these keys" @click=${this.keys}>Let the cameras listen to these keys</button>
          </div>
          <div class="row">
            <label>In <input id="delay" type="number" min="0" size="8" placeholder="at once"> ms, by the clock of the first camera</label>
            <button id="send" class="primary" ?disabled=${blocked} @click=${this.send}>Send</button>
          </div>
          ${this.answers
            ? html`<table id="answers">
                <tr><th>Camera</th><th>Answer</th><th></th></tr>
                ${this.answers.map(
                  (answer) => html`<tr data-answer=${answer.id}><td>${answer.name}</td>
                    <td class=${answer.accepted ? '' : 'bad'}>${answer.status ?? 'no answer'}</td><td>${answer.description ?? ''}</td></tr>`,
                )}
              </table>`
            : nothing}
        </fieldset>`,
    );
  }

  /** A column for each camera, since the names of features are long. */
  table() {
    return html`<table id="clocks" class="numbers">
      <tr><th>Feature</th>${this.clocks.map((clock) => html`<th data-clock=${clock.id}>${clock.name}</th>`)}</tr>
      <tr><td>PtpEnable</td>${this.clocks.map((clock) => html`<td>${clock.possible
        ? html`<input type="checkbox" aria-label="PtpEnable of ${clock.name}" .checked=${clock.PtpEnable ?? false}
            ?disabled=${!this.control || this.busy} @change=${(/** @type {any} */ e) => this.ptp(clock.id, e.target.checked)}>`
        : clock.problem ?? 'does not know IEEE 1588'}</td>`)}</tr>
      ${FEATURES.map(
        (name) => html`<tr><td>${name}</td>${this.clocks.map(
          (clock) => html`<td data-value=${name}>${clock[name] ?? ''}${name === 'PtpOffsetFromMaster' && clock[name] ? ' ns' : ''}</td>`,
        )}</tr>`,
      )}
    </table>
    ${this.clocks.map((clock) => (clock.possible && clock.problem ? html`<p class="bad">${clock.name}: ${clock.problem}</p>` : nothing))}`;
  }
}

customElements.define('time-dialog', TimeDialog);
