import { LitElement, html, css, nothing } from '../lib/lit.js';
import { shared, reason } from './style.js';

/** The drafts of one node map: a switch, what waits, and buttons that set or forget all of it. */
class DraftsBar extends LitElement {
  static properties = {
    drafts: { attribute: false },
    control: { type: Boolean },
    busy: { state: true },
    problem: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: block; padding: 0.3rem 0; }
      ul { margin: 0.2rem 0; padding-left: 1.2rem; max-height: 9rem; overflow: auto; }
    `,
  ];

  constructor() {
    super();
    /** @type {import('./drafts.js').Drafts | null} */
    this.drafts = null;
    /** @type {import('./drafts.js').Drafts | null} */
    this.watched = null;
    this.control = false;
    this.busy = false;
    this.problem = '';
    this.onDrafts = () => this.requestUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has('drafts')) return;
    this.watched?.removeEventListener('drafts', this.onDrafts);
    this.watched = this.drafts;
    this.drafts?.addEventListener('drafts', this.onDrafts);
    this.problem = '';
  }

  /** @param {import('./drafts.js').Drafts} drafts */
  async apply(drafts) {
    this.busy = true;
    this.problem = '';
    try {
      await drafts.apply();
    } catch (e) {
      this.problem = reason(e);
    } finally {
      this.busy = false;
    }
  }

  /** @param {import('./drafts.js').Drafts} drafts @param {boolean} on */
  turn(drafts, on) {
    drafts.on = on;
    this.requestUpdate();
  }

  render() {
    const { drafts } = this;
    if (!drafts || !this.control) return nothing;
    const all = [...drafts.all.values()];
    return html`
      <div class="row">
        <label><input type="checkbox" id="drafts" .checked=${drafts.on}
          @change=${(/** @type {any} */ e) => this.turn(drafts, e.target.checked)}> keep what is typed as drafts</label>
        ${all.length
          ? html`<button id="apply" class="primary" ?disabled=${this.busy} @click=${() => this.apply(drafts)}>Apply all (${all.length})</button>
              <button id="discard" ?disabled=${this.busy} @click=${() => drafts.discardAll()}>Discard</button>`
          : nothing}
      </div>
      ${all.length ? html`<ul aria-label="Drafts">${all.map((draft) => this.item(drafts, draft))}</ul>` : nothing}
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
    `;
  }

  /** @param {import('./drafts.js').Drafts} drafts @param {import('./types').Draft} draft */
  item(drafts, draft) {
    const selection = draft.selection.map(([selector, value]) => `${selector} ${value}`).join(', ');
    return html`<li data-draft=${draft.feature}>
      ${draft.feature}${selection ? ` (${selection})` : ''} = ${draft.value}
      <button aria-label="Discard the draft of ${draft.feature}" @click=${() => drafts.discard(draft)}>✕</button>
      ${draft.failure ? html`<span class="bad">${draft.failure}</span>` : nothing}
    </li>`;
  }
}

customElements.define('drafts-bar', DraftsBar);
