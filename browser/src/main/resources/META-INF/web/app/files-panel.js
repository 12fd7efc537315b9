import { LitElement, html, css, nothing } from '../lib/lit.js';
import { file, get, upload } from './api.js';
import { events } from './events.js';
import { shared, reason } from './style.js';
import { download } from './tool-dialog.js';

/** The files in a camera, firmware among them: saved, and written after a dry run and a second confirmation. */
class FilesPanel extends LitElement {
  static properties = {
    camera: { type: String },
    control: { type: Boolean },
    files: { state: true },
    dryRun: { state: true },
    busy: { state: true },
    progress: { state: true },
    done: { state: true },
    problem: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: block; }
      .question { border: 2px solid var(--bad); border-radius: 6px; padding: 0.5rem; margin: 0.4rem 0; }
      .FAIL { color: var(--bad); }
      .PASS { color: var(--good); }
    `,
  ];

  constructor() {
    super();
    this.camera = '';
    this.control = false;
    /** @type {{name: string, bytes?: number}[] | null} */
    this.files = null;
    /**
     * What was found, and the bytes that it was found of.
     * @type {(import('./types').UploadCheck & {name: string, content: File}) | null}
     */
    this.dryRun = null;
    this.busy = false;
    this.progress = '';
    this.done = '';
    this.problem = '';
    /** @type {() => void} */
    this.remover = () => {};
  }

  connectedCallback() {
    super.connectedCallback();
    this.remover = events.on('file-progress', (event) => {
      if (event.camera === this.camera) this.progress = `${event.file}: ${event.percent} %`;
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.remover();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('camera') && this.camera) {
      this.files = null;
      this.dryRun = null;
      this.attempt('', () => this.load());
    }
  }

  async load() {
    this.files = (await get(`/api/cameras/${this.camera}/files`)).files;
  }

  /** @param {string} done @param {() => Promise<void>} work */
  async attempt(done, work) {
    this.busy = true;
    this.progress = '';
    this.problem = '';
    this.done = '';
    try {
      await work();
      this.done = done;
    } catch (e) {
      this.problem = reason(e);
    } finally {
      this.busy = false;
    }
  }

  /** @param {string} name @param {string} what */
  path(name, what) {
    return `/api/cameras/${this.camera}/files/${encodeURIComponent(name)}/${what}`;
  }

  /** @param {string} name */
  save(name) {
    return this.attempt('saved', async () => download(name, await file(this.path(name, 'read'))));
  }

  /** @param {string} name @param {HTMLInputElement} input */
  choose(name, input) {
    const content = input.files?.[0];
    input.value = '';
    if (!content) return undefined;
    this.dryRun = null;
    return this.attempt('looked at: nothing was written', async () => {
      this.dryRun = { ...(await upload(this.path(name, 'check'), content)), name, content };
    });
  }

  write() {
    const { dryRun } = this;
    if (!dryRun) return undefined;
    this.dryRun = null;
    return this.attempt('written; most cameras run new firmware after a restart', async () => {
      await upload(`${this.path(dryRun.name, 'write')}?confirmation=${dryRun.confirmation}`, dryRun.content);
      await this.load();
    });
  }

  render() {
    const blocked = !this.control || this.busy;
    return html`
      ${this.files && !this.files.length ? html`<p class="soft">The camera has no files.</p>` : nothing}
      <table id="files">
        ${(this.files ?? []).map(
          ({ name, bytes }) => html`<tr data-file=${name}>
            <td>${name}</td><td class="bytes">${bytes === undefined ? '' : `${bytes} bytes`}</td>
            <td><button class="save" aria-label="Save ${name}" ?disabled=${blocked} @click=${() => this.save(name)}>Save</button></td>
            <td><label>Replace <input type="file" aria-label="Replace ${name}" ?disabled=${blocked}
              @change=${(/** @type {any} */ e) => this.choose(name, e.target)}></label></td>
          </tr>`,
        )}
      </table>
      ${this.dryRun ? this.found(this.dryRun, blocked) : nothing}
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      <div role="status" id="done">${this.busy ? this.progress || 'Working…' : this.done}</div>
    `;
  }

  /** @param {import('./types').UploadCheck} dryRun @param {boolean} blocked */
  found(dryRun, blocked) {
    return html`
      ${dryRun.passed
        ? html`<div class="question" role="alertdialog" aria-label="Confirmation">
            <p id="what">${dryRun.what}.</p>
            <button id="confirm" ?disabled=${blocked} @click=${this.write}>Write it</button>
            <button @click=${() => (this.dryRun = null)}>Cancel</button>
          </div>`
        : html`<p class="bad" id="refused">It cannot be written.</p>`}
      <table id="checks">
        ${dryRun.checks.map(
          (one) => html`<tr data-check=${one.check}><td class=${one.passed ? 'PASS' : 'FAIL'}>${one.passed ? 'PASS' : 'FAIL'}</td>
            <td>${one.check}</td><td>${one.evidence}</td></tr>`,
        )}
      </table>`;
  }
}

customElements.define('files-panel', FilesPanel);
