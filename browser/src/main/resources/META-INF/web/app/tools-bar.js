import { LitElement, html } from '../lib/lit.js';
import { shared } from './style.js';
import './bandwidth-dialog.js';
import './description-dialog.js';
import './doctor-dialog.js';
import './time-dialog.js';

/** Buttons for what concerns the host or several cameras, each with its dialog. */
class ToolsBar extends LitElement {
  static properties = {
    control: { type: Boolean },
    cameras: { attribute: false },
    selected: { type: String },
  };

  static styles = shared;

  constructor() {
    super();
    this.control = false;
    /** @type {import('./types').Camera[]} */
    this.cameras = [];
    this.selected = '';
  }

  /** @param {string} dialog name of its element */
  show(dialog) {
    /** @type {any} */ (this.renderRoot.querySelector(dialog)).show();
  }

  render() {
    return html`<div class="row">
        <button @click=${() => this.show('doctor-dialog')}>Doctor</button>
        <button @click=${() => this.show('bandwidth-dialog')}>Bandwidth</button>
        <button @click=${() => this.show('time-dialog')}>Clocks</button>
        <button @click=${() => this.show('description-dialog')}>Description</button>
      </div>
      <doctor-dialog ?control=${this.control} .cameras=${this.cameras} selected=${this.selected}></doctor-dialog>
      <bandwidth-dialog ?control=${this.control} .cameras=${this.cameras}></bandwidth-dialog>
      <time-dialog ?control=${this.control} .cameras=${this.cameras}></time-dialog>
      <description-dialog ?control=${this.control}></description-dialog>`;
  }
}

customElements.define('tools-bar', ToolsBar);
