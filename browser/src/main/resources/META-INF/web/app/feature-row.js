import { LitElement, html, css, nothing } from '../lib/lit.js';
import { shared, reason } from './style.js';

/** One feature: its name, its value in an editor of its type, unit, range, and why it is as it is. */
class FeatureRow extends LitElement {
  static properties = {
    feature: { attribute: false },
    store: { attribute: false },
    control: { type: Boolean },
    favourite: { type: Boolean },
    value: { state: true },
    draft: { state: true },
    kept: { state: true },
    problem: { state: true },
    done: { state: true },
    detail: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: block; padding: 0.15rem 0; }
      .line { display: grid; grid-template-columns: 1.4rem minmax(6rem, 1fr) minmax(8rem, 1.1fr); gap: 0.3rem; align-items: center; }
      .name { background: none; border: none; text-align: left; overflow-wrap: anywhere; padding: 0; }
      .star { background: none; border: none; padding: 0; color: var(--soft); }
      .editor { display: flex; gap: 0.3rem; align-items: center; min-width: 0; }
      .editor input:not([type='checkbox']), .editor select { min-width: 0; flex: 1; }
      .draft { border-color: var(--accent); border-style: dashed; }
      .detail { margin-left: 1.7rem; font-size: 0.92em; }
    `,
  ];

  constructor() {
    super();
    /** @type {import('./types').Feature} */
    this.feature = /** @type {any} */ ({});
    /** @type {import('./feature-store.js').FeatureStore | null} */
    this.store = null;
    /** @type {import('./feature-store.js').FeatureStore | null} */
    this.watched = null;
    this.watchedName = '';
    this.control = false;
    this.favourite = false;
    /** @type {import('./types').FeatureValue | null} */
    this.value = null;
    /** @type {string | null} */
    this.draft = null;
    /** @type {import('./types').Draft | undefined} */
    this.kept = undefined;
    this.problem = '';
    this.done = '';
    this.detail = false;
    /** @param {Event} e */
    this.onValue = (e) => {
      const { detail } = /** @type {CustomEvent} */ (e);
      if (detail === this.feature.name || this.feature.selectors?.includes(detail)) this.take();
    };
    this.onDrafts = () => this.take();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watch(null, '');
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated) this.watch(this.store, this.feature.name);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('store') || changed.has('feature')) this.watch(this.store, this.feature.name);
  }

  /** @param {import('./feature-store.js').FeatureStore | null} store @param {string} name */
  watch(store, name) {
    if (store === this.watched && name === this.watchedName) return;
    this.watched?.removeEventListener('value', this.onValue);
    this.watched?.drafts.removeEventListener('drafts', this.onDrafts);
    this.watched?.hide(this.watchedName);
    this.watched = store;
    this.watchedName = name;
    this.draft = null;
    this.problem = '';
    store?.addEventListener('value', this.onValue);
    store?.drafts.addEventListener('drafts', this.onDrafts);
    store?.show(name);
    this.take();
  }

  take() {
    this.value = this.store?.values.get(this.feature.name) ?? null;
    this.kept = this.store?.draft(this.feature.name);
  }

  /** @param {string} text */
  async write(text) {
    this.problem = '';
    try {
      await this.store?.enter(this.feature, text);
      this.draft = null;
    } catch (e) {
      this.problem = reason(e);
    }
  }

  async execute() {
    this.problem = '';
    this.done = 'working…';
    try {
      await this.store?.execute(this.feature.name);
      this.done = this.value?.done === false ? 'working…' : 'done';
    } catch (e) {
      this.done = '';
      this.problem = reason(e);
    }
  }

  get writable() {
    return this.control && (this.value?.access === 'RW' || this.value?.access === 'WO');
  }

  render() {
    const { feature, value } = this;
    const problem = this.problem || this.kept?.failure;
    const errors = Object.entries(value?.errors ?? {});
    return html`
      <div class="line">
        <button class="star" aria-pressed=${this.favourite} aria-label="Favourite ${feature.name}"
          @click=${() => this.dispatchEvent(new CustomEvent('favourite'))}>${this.favourite ? '★' : '☆'}</button>
        <button class="name" id="name" title=${feature.toolTip || feature.description} aria-expanded=${this.detail}
          @click=${() => (this.detail = !this.detail)}>${feature.display}</button>
        <div class="editor">${value ? this.editor(value) : html`<span class="soft">…</span>`}</div>
      </div>
      ${problem ? html`<p role="alert" class="detail">${problem}</p>` : nothing}
      ${errors.length && !problem
        ? html`<p class="detail bad">${errors.map(([what, why]) => html`${what}: ${why}<br>`)}</p>`
        : nothing}
      ${this.detail ? this.details() : nothing}
    `;
  }

  /** @param {import('./types').FeatureValue} value */
  editor(value) {
    const { feature } = this;
    if (value.access === 'NA' || value.access === 'NI') {
      return html`<span class="soft">${value.access === 'NA' ? 'not available now' : 'not implemented'}</span>`;
    }
    const shown = this.kept?.value ?? value.value ?? '';
    switch (feature.type) {
      case 'command':
        return html`<button aria-labelledby="name" id="execute" ?disabled=${!this.writable} @click=${this.execute}>Execute</button>
          <span role="status">${this.done}</span>`;
      case 'boolean':
        return html`<input type="checkbox" aria-labelledby="name" class=${this.kept ? 'draft' : ''} .checked=${['true', '1'].includes(shown)}
          ?disabled=${!this.writable}
          @change=${(/** @type {any} */ e) => this.write(e.target.checked ? 'true' : 'false')}>`;
      case 'enumeration':
        return this.choice(value, shown);
      case 'register':
      case 'other':
        return html`<span>${value.value ?? ''}</span>`;
      default:
        return this.text(value, this.draft ?? shown);
    }
  }

  /** @param {import('./types').FeatureValue} value @param {string} shown */
  choice(value, shown) {
    const entries = (value.entries ?? []).filter((e) => e.implemented !== false);
    return html`<select aria-labelledby="name" class=${this.kept ? 'draft' : ''} ?disabled=${!this.writable}
      @change=${(/** @type {any} */ e) => this.write(e.target.value)}>
      ${entries.some((e) => e.symbol === shown) ? nothing : html`<option selected>${shown}</option>`}
      ${entries.map(
        (e) => html`<option value=${e.symbol} ?selected=${e.symbol === shown} .selected=${e.symbol === shown}
          ?disabled=${!e.available}>${e.display || e.symbol}${e.available ? '' : ' (not available now)'}</option>`,
      )}
    </select>`;
  }

  /** @param {import('./types').FeatureValue} value @param {string} shown */
  text(value, shown) {
    return html`<input aria-labelledby="name" class=${this.draft === null && !this.kept ? '' : 'draft'} .value=${shown}
        inputmode=${this.feature.type === 'string' ? 'text' : 'decimal'} ?disabled=${!this.writable}
        title=${this.range(value)}
        @input=${(/** @type {any} */ e) => (this.draft = e.target.value)}
        @keydown=${(/** @type {KeyboardEvent} */ e) => this.key(e)}
        @change=${(/** @type {any} */ e) => this.write(e.target.value)}>
      ${value.unit ? html`<span class="soft">${value.unit}</span>` : nothing}`;
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    if (e.key === 'Escape') {
      this.draft = null;
      this.problem = '';
    }
  }

  /** @param {import('./types').FeatureValue} value */
  range(value) {
    if (value.validValues) return `one of ${value.validValues.join(', ')}`;
    if (value.min === undefined) return value.maxLength ? `at most ${value.maxLength} bytes` : '';
    const step = value.increment && value.increment !== '1' ? ` in steps of ${value.increment}` : '';
    return `${value.min} to ${value.max}${step}`;
  }

  details() {
    const { feature, value } = this;
    return html`<div class="detail soft">
      <code>${feature.name}</code> ${feature.type}, ${value?.access ?? ''} ${value ? this.range(value) : ''}
      ${feature.selectors ? html`<br>selected by ${feature.selectors.join(', ')}` : nothing}
      ${feature.selected ? html`<br>selects ${feature.selected.join(', ')}` : nothing}
      ${feature.deprecated ? html`<br>deprecated` : nothing}
      <br>${feature.description || feature.toolTip}
    </div>`;
  }
}

customElements.define('feature-row', FeatureRow);
