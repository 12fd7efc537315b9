// Values of the features that are on the page. Reads them together, and again when the server says that they changed.
import { get, post, put } from './api.js';
import { Drafts } from './drafts.js';
import { events } from './events.js';

const BATCH = 100;

export class FeatureStore extends EventTarget {
  /** @param {string} camera @param {string} map */
  constructor(camera, map) {
    super();
    this.camera = camera;
    this.map = map;
    this.path = `/api/cameras/${camera}/maps/${map}`;
    this.drafts = new Drafts(this.path);
    /** @type {Map<string, import('./types').FeatureValue>} */
    this.values = new Map();
    /** @type {Map<string, number>} */
    this.shown = new Map();
    /** @type {Set<string>} */
    this.wanted = new Set();
    /** @type {Set<string>} */
    this.uncached = new Set();
    this.scheduled = false;
    this.closed = false;
    this.fresh = false;
    this.removers = [
      events.on('features', (event) => {
        if (event.camera !== camera || event.map !== map) return;
        for (const name of event.features) this.invalidate(name);
        // What may not be remembered can change with anything, and nothing says so.
        if (event.features.some((/** @type {string} */ name) => !this.uncached.has(name))) {
          for (const name of this.uncached) this.invalidate(name);
        }
      }),
      events.on('overflow', () => this.invalidateAll()),
    ];
  }

  /** @param {string} name */
  show(name) {
    this.shown.set(name, (this.shown.get(name) ?? 0) + 1);
    if (!this.values.has(name)) this.want(name);
  }

  /** @param {string} name */
  hide(name) {
    const count = (this.shown.get(name) ?? 1) - 1;
    if (count > 0) this.shown.set(name, count);
    else this.shown.delete(name);
  }

  /** @param {string} name */
  invalidate(name) {
    if (this.shown.has(name)) this.want(name);
    else this.values.delete(name);
  }

  invalidateAll() {
    for (const name of [...this.values.keys()]) this.invalidate(name);
  }

  /** Asks the device again for all that is on the page; for cameras that another application controls. */
  refresh() {
    this.fresh = true;
    for (const name of this.shown.keys()) this.want(name);
  }

  /** @param {string} name */
  want(name) {
    this.wanted.add(name);
    if (this.scheduled) return;
    this.scheduled = true;
    setTimeout(() => this.read(), 20);
  }

  async read() {
    this.scheduled = false;
    const names = [...this.wanted].filter((name) => this.shown.has(name));
    // What left the page meanwhile is read when it is shown again.
    for (const name of this.wanted) if (!this.shown.has(name)) this.values.delete(name);
    this.wanted.clear();
    const fresh = this.fresh ? '&fresh=1' : '';
    this.fresh = false;
    for (let i = 0; i < names.length && !this.closed; i += BATCH) {
      const batch = names.slice(i, i + BATCH);
      try {
        const answer = await get(`${this.path}/values?names=${batch.map(encodeURIComponent).join(',')}${fresh}`);
        for (const [name, value] of Object.entries(answer.values)) {
          if (this.shown.has(name)) this.set(name, value);
          else this.values.delete(name);
        }
      } catch (e) {
        for (const name of batch) this.set(name, { errors: { value: /** @type {Error} */ (e).message } });
      }
    }
  }

  /** @param {string} name @param {any} value */
  set(name, value) {
    this.values.set(name, value);
    this.dispatchEvent(new CustomEvent('value', { detail: name }));
  }

  /**
   * Sets a feature, or keeps the value as a draft. Selectors are always set: they choose what is looked at.
   * @param {import('./types').Feature} feature
   * @param {string} value
   */
  enter(feature, value) {
    return this.drafts.on && !feature.selected ? this.drafts.keep(feature, value) : this.write(feature.name, value);
  }

  /** @param {string} name */
  draft(name) {
    return this.drafts.of(name, (selector) => this.values.get(selector)?.value);
  }

  /** @param {string} name @param {string} value */
  async write(name, value) {
    this.set(name, await put(`${this.path}/features/${encodeURIComponent(name)}`, { value }));
  }

  /** @param {string} name */
  async execute(name) {
    this.set(name, await post(`${this.path}/features/${encodeURIComponent(name)}/execute`));
  }

  close() {
    this.closed = true;
    this.removers.forEach((remove) => remove());
  }
}
