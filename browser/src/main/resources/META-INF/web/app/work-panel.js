import { LitElement, html, css } from '../lib/lit.js';
import { shared } from './style.js';
import './diagnosis-panel.js';
import './events-panel.js';
import './files-panel.js';
import './recording-panel.js';
import './settings-panel.js';

/** @type {[string, string][]} */
const TABS = [
  ['diagnosis', 'Diagnosis'],
  ['record', 'Record'],
  ['settings', 'Settings'],
  ['events', 'Events'],
  ['files', 'Files'],
];

/** What is done with one camera beside looking at its frames: a tab for each kind of work. */
class WorkPanel extends LitElement {
  static properties = {
    camera: { type: String },
    stream: { attribute: false },
    control: { type: Boolean },
    tab: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; }
      [role='tablist'] { padding: 0.3rem 0.6rem 0; }
      [role='tab'][aria-selected='true'] { border-color: var(--accent); border-bottom-width: 3px; }
      [role='tabpanel'] { overflow: auto; flex: 1; min-height: 0; }
      [role='tabpanel']:not(#diagnosis) { padding: 0.6rem; }
      [hidden] { display: none; }
    `,
  ];

  constructor() {
    super();
    this.camera = '';
    /** @type {import('./types').StreamState | null} */
    this.stream = null;
    this.control = false;
    this.tab = 'diagnosis';
  }

  render() {
    return html`
      <div role="tablist" aria-label="Work" class="row" @keydown=${this.key}>
        ${TABS.map(
          ([id, title]) => html`<button role="tab" data-work=${id} aria-selected=${id === this.tab} aria-controls=${id}
            tabindex=${id === this.tab ? 0 : -1} @click=${() => (this.tab = id)}>${title}</button>`,
        )}
      </div>
      <div role="tabpanel" id="diagnosis" aria-label="Diagnosis" ?hidden=${this.tab !== 'diagnosis'}>
        <diagnosis-panel camera=${this.camera} .stream=${this.stream}></diagnosis-panel>
      </div>
      ${this.tab === 'diagnosis' ? '' : html`<div role="tabpanel" id=${this.tab} aria-label=${this.tab}>${this.content()}</div>`}
    `;
  }

  content() {
    switch (this.tab) {
      case 'record':
        return html`<recording-panel camera=${this.camera} ?control=${this.control}></recording-panel>`;
      case 'settings':
        return html`<settings-panel camera=${this.camera} ?control=${this.control}></settings-panel>`;
      case 'files':
        return html`<files-panel camera=${this.camera} ?control=${this.control}></files-panel>`;
      case 'events':
        return html`<events-panel camera=${this.camera} ?control=${this.control}></events-panel>`;
      default:
        return '';
    }
  }

  /**
   * Arrows move between tabs.
   * @param {KeyboardEvent} e
   */
  async key(e) {
    const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    const at = TABS.findIndex(([id]) => id === this.tab);
    this.tab = TABS[(at + step + TABS.length) % TABS.length][0];
    await this.updateComplete;
    /** @type {HTMLElement} */ (this.renderRoot.querySelector(`[data-work="${this.tab}"]`)).focus();
  }
}

customElements.define('work-panel', WorkPanel);
