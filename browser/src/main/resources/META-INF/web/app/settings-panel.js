import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get, post } from './api.js';
import { shared, reason } from './style.js';

/** Settings of one camera: save, load, differences to a file or a user set, and its user sets. */
class SettingsPanel extends LitElement {
  static properties = {
    camera: { type: String },
    control: { type: Boolean },
    sets: { state: true },
    start: { state: true },
    set: { state: true },
    differences: { state: true },
    failures: { state: true },
    other: { state: true },
    busy: { state: true },
    done: { state: true },
    problem: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: block; }
      .row { margin: 0.3rem 0; }
      td { overflow-wrap: anywhere; }
    `,
  ];

  constructor() {
    super();
    this.camera = '';
    this.control = false;
    /** @type {string[]} */
    this.sets = [];
    this.start = '';
    this.set = '';
    /** @type {import('./types').Difference[] | null} */
    this.differences = null;
    /** @type {import('./types').SettingFailure[]} */
    this.failures = [];
    this.other = '';
    this.busy = false;
    this.done = '';
    this.problem = '';
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('camera') && this.camera) {
      this.differences = null;
      this.failures = [];
      this.done = '';
      this.problem = '';
      this.load();
    }
  }

  async load() {
    try {
      const answer = await get(`/api/cameras/${this.camera}/usersets`);
      this.sets = answer.names;
      this.start = answer.start;
      if (!this.sets.includes(this.set)) this.set = this.sets[0] ?? '';
    } catch (e) {
      this.problem = reason(e);
    }
  }

  /** @param {string} done @param {() => Promise<void>} work */
  async attempt(done, work) {
    this.busy = true;
    this.problem = '';
    this.done = '';
    this.failures = [];
    this.differences = null;
    try {
      await work();
      this.done = done;
    } catch (e) {
      this.problem = reason(e);
    } finally {
      this.busy = false;
    }
  }

  save() {
    return this.attempt('saved', async () => {
      const { text, failures } = await post(`/api/cameras/${this.camera}/settings/save`);
      this.failures = failures;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
      link.download = 'settings.txt';
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  /** @param {string} id of the input with the file */
  async file(id) {
    const input = /** @type {HTMLInputElement} */ (this.renderRoot.querySelector(`#${id}`));
    const file = input.files?.[0];
    input.value = '';
    return file ? { name: file.name, text: await file.text() } : null;
  }

  async loadFile() {
    const file = await this.file('load');
    if (!file) return;
    let done = '';
    await this.attempt('', async () => {
      const answer = await post(`/api/cameras/${this.camera}/settings/load`, { text: file.text });
      this.failures = answer.failures;
      done = `${answer.values - answer.failures.length} of ${answer.values} values of ${file.name} are set`;
    });
    this.done = done;
  }

  async compareFile() {
    const file = await this.file('compare');
    if (!file) return;
    await this.attempt('compared', async () => {
      this.take(await post(`/api/cameras/${this.camera}/settings/compare`, { text: file.text }), file.name);
    });
  }

  compareSet() {
    return this.attempt('compared', async () => {
      this.take(await post(`/api/cameras/${this.camera}/settings/compare-set`, { set: this.set }), this.set);
    });
  }

  /** @param {any} answer @param {string} other */
  take(answer, other) {
    this.differences = answer.differences;
    this.failures = answer.failures;
    this.other = other;
  }

  /** @param {string} what @param {string} done */
  useSet(what, done) {
    return this.attempt(done, async () => {
      await post(`/api/cameras/${this.camera}/usersets/${what}`, { set: this.set });
      await this.load();
    });
  }

  render() {
    const blocked = !this.control || this.busy;
    return html`
      <div class="row">
        <button id="save" ?disabled=${blocked} @click=${this.save}>Save to a file</button>
        <label>Load <input id="load" type="file" accept=".txt,.json,.pfs" ?disabled=${blocked} @change=${this.loadFile}></label>
        <label>Compare with <input id="compare" type="file" accept=".txt,.json,.pfs" ?disabled=${blocked} @change=${this.compareFile}></label>
      </div>
      ${this.sets.length
        ? html`<div class="row">
            <label>User set <select id="set" ?disabled=${blocked} @change=${(/** @type {any} */ e) => (this.set = e.target.value)}>
              ${this.sets.map((name) => html`<option ?selected=${name === this.set}>${name}</option>`)}
            </select></label>
            <button id="load-set" ?disabled=${blocked} @click=${() => this.useSet('load', 'loaded')}>Load</button>
            <button id="save-set" ?disabled=${blocked} @click=${() => this.useSet('save', 'saved')}>Save</button>
            <button id="start-set" ?disabled=${blocked} @click=${() => this.useSet('start', 'the camera starts with it')}>Start with it</button>
            <button id="compare-set" ?disabled=${blocked} title="Loads it, reads it, and puts the present settings back"
              @click=${this.compareSet}>Compare</button>
            ${this.start ? html`<span class="soft">The camera starts with ${this.start}.</span>` : nothing}
          </div>`
        : nothing}
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      <div role="status" id="done">${this.busy ? 'Working…' : this.done}</div>
      ${this.failures.length
        ? html`<ul id="failures">${this.failures.map((f) => html`<li class="bad"><b>${f.feature}</b> ${f.reason}</li>`)}</ul>`
        : nothing}
      ${this.differences ? this.table(this.differences) : nothing}
    `;
  }

  /** @param {import('./types').Difference[]} differences */
  table(differences) {
    if (!differences.length) return html`<p id="differences">No difference to ${this.other}.</p>`;
    return html`<table id="differences">
      <tr><th>Feature</th><th>now</th><th>${this.other}</th></tr>
      ${differences.map(
        (d) => html`<tr data-difference=${d.feature}><td>${d.feature}</td><td>${d.now ?? html`<i>missing</i>`}</td>
          <td>${d.other ?? html`<i>missing</i>`}</td></tr>`,
      )}
    </table>`;
  }
}

customElements.define('settings-panel', SettingsPanel);
