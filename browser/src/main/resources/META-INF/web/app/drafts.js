// Values of one node map that were typed and not sent yet.
import { get, post } from './api.js';

export class Drafts extends EventTarget {
  /** @param {string} path of the node map */
  constructor(path) {
    super();
    this.path = path;
    /** Whether what is typed becomes a draft. */
    this.on = false;
    /** @type {Map<string, import('./types').Draft>} */
    this.all = new Map();
  }

  changed() {
    this.dispatchEvent(new CustomEvent('drafts'));
  }

  /**
   * Keeps a value, under the present selection of its feature.
   * @param {import('./types').Feature} feature
   * @param {string} value
   */
  async keep(feature, value) {
    /** @type {[string, string][]} */
    const selection = feature.selectors
      ? (await get(`${this.path}/features/${encodeURIComponent(feature.name)}/selection`)).selection
      : [];
    this.all.set(key(feature.name, selection), { feature: feature.name, selection, value, failure: '' });
    this.changed();
  }

  /**
   * The draft of a feature under the selection that is shown.
   * @param {string} feature
   * @param {(selector: string) => string | undefined} now values of selectors, where they are known
   */
  of(feature, now) {
    const matches = (/** @type {[string, string]} */ [selector, value]) => (now(selector) ?? value) === value;
    return [...this.all.values()].reverse().find((draft) => draft.feature === feature && draft.selection.every(matches));
  }

  /** @param {import('./types').Draft} draft */
  discard(draft) {
    this.all.delete(key(draft.feature, draft.selection));
    this.changed();
  }

  discardAll() {
    this.all.clear();
    this.changed();
  }

  /** Sets all in one go; what fails stays, with the reason. */
  async apply() {
    const values = [...this.all.values()].map(({ feature, selection, value }) => ({ feature, selection, value }));
    /** @type {{failures: import('./types').SettingFailure[]}} */
    const { failures } = await post(`${this.path}/apply`, { values });
    for (const draft of [...this.all.values()]) {
      draft.failure = failures.find((failure) => failure.feature === draft.feature)?.reason ?? '';
      if (!draft.failure) this.all.delete(key(draft.feature, draft.selection));
    }
    this.changed();
    const names = values.map((value) => value.feature);
    const others = failures.filter((failure) => !names.includes(failure.feature));
    if (others.length) throw new Error(others.map((failure) => `${failure.feature}: ${failure.reason}`).join('; '));
  }
}

/** @param {string} feature @param {[string, string][]} selection */
const key = (feature, selection) => JSON.stringify([feature, selection]);
