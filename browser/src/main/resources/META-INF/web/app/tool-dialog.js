import { LitElement, html, css, nothing } from '../lib/lit.js';
import { shared, reason } from './style.js';

/** A dialog for work that is not about one open camera; classes below say what is in it. */
export class ToolDialog extends LitElement {
  /** @type {Record<string, object>} */
  static properties = {
    control: { type: Boolean },
    cameras: { attribute: false },
    selected: { type: String },
    busy: { state: true },
    done: { state: true },
    problem: { state: true },
  };

  static styles = [
    shared,
    css`
      dialog { width: min(62rem, 92vw); max-height: 88vh; overflow: auto; }
      td { overflow-wrap: anywhere; }
      .numbers { font-variant-numeric: tabular-nums; }
      fieldset { border: 1px solid var(--line); border-radius: 6px; margin: 0.4rem 0; }
    `,
  ];

  constructor() {
    super();
    this.control = false;
    /** @type {import('./types').Camera[]} */
    this.cameras = [];
    this.selected = '';
    this.busy = false;
    this.done = '';
    this.problem = '';
  }

  show() {
    this.problem = '';
    this.done = '';
    this.dialog().showModal();
  }

  dialog() {
    return /** @type {HTMLDialogElement} */ (this.renderRoot.querySelector('dialog'));
  }

  /**
   * Does something that takes time or fails.
   * @param {string} done what is said afterwards
   * @param {() => Promise<void>} work
   */
  async attempt(done, work) {
    this.busy = true;
    this.done = '';
    this.problem = '';
    try {
      await work();
      this.done = done;
    } catch (e) {
      this.problem = reason(e);
    } finally {
      this.busy = false;
    }
  }

  /** Cameras that are open, without recordings. */
  open() {
    return this.cameras.filter((camera) => camera.open && !camera.recording);
  }

  /** @param {import('./types').Camera} camera */
  name(camera) {
    return camera.configured || camera.name || `${camera.model} ${camera.serial}`;
  }

  /** @param {string} title @param {unknown} content */
  frame(title, content) {
    return html`<dialog aria-label=${title}>
      <h2>${title}</h2>
      ${content}
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      <div class="row">
        <button id="close" @click=${() => this.dialog().close()}>Close</button>
        <div role="status" id="done">${this.busy ? 'Working…' : this.done}</div>
      </div>
    </dialog>`;
  }
}

/**
 * Lets the user keep a file.
 * @param {string} name
 * @param {Blob} content
 */
export function download(name, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
