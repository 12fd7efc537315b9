import { LitElement, html, css, nothing } from '../lib/lit.js';
import { get } from './api.js';
import { FeatureStore } from './feature-store.js';
import { matcher } from './search.js';
import { shared, reason } from './style.js';
import './drafts-bar.js';
import './feature-row.js';

const LEVELS = ['beginner', 'expert', 'guru', 'invisible'];
const FAVOURITES = 'peregrine-favourites';

/** How often features of a camera are read again that another application controls. */
const MONITOR_MILLIS = 2000;

/** The features of one camera: categories with rows, search, visibility, favourites. */
class FeatureTree extends LitElement {
  static properties = {
    camera: { type: String },
    maps: { attribute: false },
    monitor: { type: Boolean },
    control: { type: Boolean },
    map: { state: true },
    tree: { state: true },
    search: { state: true },
    level: { state: true },
    openNames: { state: true },
    favourites: { state: true },
    problem: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; padding: 0.6rem; }
      .tools { padding-bottom: 0.4rem; border-bottom: 1px solid var(--line); }
      .tools input { flex: 1 1 8rem; min-width: 6rem; }
      .tree { overflow: auto; flex: 1; min-height: 0; }
      .category { display: block; width: 100%; text-align: left; border: none; background: none; font-weight: 600; padding: 0.25rem 0; }
      .below { margin-left: 0.7rem; }
      details { margin-top: 0.5rem; }
    `,
  ];

  constructor() {
    super();
    this.camera = '';
    /** @type {string[]} */
    this.maps = [];
    this.monitor = false;
    this.control = false;
    this.map = 'Device';
    /** @type {import('./types').Tree | null} */
    this.tree = null;
    this.search = '';
    this.level = 'beginner';
    /** @type {Set<string>} */
    this.openNames = new Set();
    /** @type {Set<string>} */
    this.favourites = new Set(JSON.parse(localStorage.getItem(FAVOURITES) ?? '[]'));
    this.problem = '';
    /** @type {FeatureStore | null} */
    this.store = null;
    this.timer = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = window.setInterval(() => {
      if (this.monitor && !document.hidden) this.store?.refresh();
    }, MONITOR_MILLIS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
    this.store?.close();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if ((changed.has('camera') || changed.has('map')) && this.camera) this.load();
  }

  async load() {
    const { camera, map } = this;
    this.store?.close();
    this.store = null;
    this.tree = null;
    this.problem = '';
    try {
      const tree = await get(`/api/cameras/${camera}/maps/${map}`);
      if (!this.isConnected || camera !== this.camera || map !== this.map) return;
      this.store = new FeatureStore(camera, map);
      for (const feature of flat(tree.root)) if (!feature.cached) this.store.uncached.add(feature.name);
      this.tree = tree;
    } catch (e) {
      this.problem = reason(e);
    }
  }

  /** @param {string} name */
  toggle(name) {
    const names = new Set(this.openNames);
    if (!names.delete(name)) names.add(name);
    this.openNames = names;
  }

  /** @param {string} name */
  toggleFavourite(name) {
    const names = new Set(this.favourites);
    if (!names.delete(name)) names.add(name);
    this.favourites = names;
    localStorage.setItem(FAVOURITES, JSON.stringify([...names]));
  }

  render() {
    return html`
      <div class="tools row">
        <h2>Features</h2>
        <select aria-label="Node map" @change=${(/** @type {any} */ e) => (this.map = e.target.value)}>
          ${this.maps.map((m) => html`<option ?selected=${m === this.map}>${m}</option>`)}
        </select>
        <select aria-label="Visibility" @change=${(/** @type {any} */ e) => (this.level = e.target.value)}>
          ${LEVELS.map((l) => html`<option ?selected=${l === this.level}>${l}</option>`)}
        </select>
        <input id="search" type="search" placeholder="Search, or /expression/" aria-label="Search features"
          .value=${this.search} @input=${(/** @type {any} */ e) => (this.search = e.target.value)}>
      </div>
      <drafts-bar .drafts=${this.store?.drafts ?? null} ?control=${this.control && !this.monitor}></drafts-bar>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      <div class="tree">${this.tree ? this.content(this.tree) : nothing}</div>
    `;
  }

  /** @param {import('./types').Tree} tree */
  content(tree) {
    const found = [];
    if (this.search.trim()) {
      const matches = matcher(this.search);
      /** @type {Set<string>} */
      const seen = new Set();
      for (const feature of flat(tree.root)) {
        if (!seen.has(feature.name) && this.visible(feature) && matches(feature)) found.push(feature);
        seen.add(feature.name);
      }
      return found.length
        ? found.slice(0, 200).map((f) => this.row(f))
        : html`<p class="soft">No feature matches, at this visibility.</p>`;
    }
    const favourites = flat(tree.root).filter((f) => this.favourites.has(f.name));
    return html`
      ${favourites.length
        ? html`<div class="category">Favourites</div><div class="below">${favourites.map((f) => this.row(f))}</div>`
        : nothing}
      ${(tree.root.children ?? []).map((f) => this.entry(f))}
      ${tree.problems.length
        ? html`<details>
            <summary>${tree.problems.length} parts of the device description could not be used as they are</summary>
            <ul>${tree.problems.map((p) => html`<li><b>${p.node}</b> ${p.message}</li>`)}</ul>
          </details>`
        : nothing}
    `;
  }

  /** @param {import('./types').Feature} feature */
  visible(feature) {
    return LEVELS.indexOf(feature.visibility) <= LEVELS.indexOf(this.level);
  }

  /** @param {import('./types').Feature} feature @returns {unknown} */
  entry(feature) {
    if (!this.visible(feature)) return nothing;
    if (!feature.children) return this.row(feature);
    if (!feature.children.some((f) => flat(f).some((leaf) => this.visible(leaf)))) return nothing;
    const open = this.openNames.has(feature.name);
    return html`
      <button class="category" aria-expanded=${open} data-category=${feature.name} title=${feature.toolTip}
        @click=${() => this.toggle(feature.name)}>${open ? '▾' : '▸'} ${feature.display}</button>
      ${open ? html`<div class="below">${feature.children.map((f) => this.entry(f))}</div>` : nothing}
    `;
  }

  /** @param {import('./types').Feature} feature */
  row(feature) {
    return html`<feature-row
      data-feature=${feature.name}
      .feature=${feature}
      .store=${this.store}
      ?control=${this.control && !this.monitor}
      ?favourite=${this.favourites.has(feature.name)}
      @favourite=${() => this.toggleFavourite(feature.name)}
    ></feature-row>`;
  }
}

/**
 * All features below one, itself if it is none of categories.
 * @param {import('./types').Feature} feature
 */
function flat(feature) {
  /** @type {import('./types').Feature[]} */
  const all = [];
  /** @param {import('./types').Feature} f */
  const walk = (f) => (f.children ? f.children.forEach(walk) : all.push(f));
  walk(feature);
  return all;
}

customElements.define('feature-tree', FeatureTree);
