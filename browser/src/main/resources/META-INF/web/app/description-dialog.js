import { html, css, nothing } from '../lib/lit.js';
import { upload } from './api.js';
import { matcher } from './search.js';
import { ToolDialog } from './tool-dialog.js';

/** The features of a device description from a file, without a device. */
class DescriptionDialog extends ToolDialog {
  static properties = {
    tree: { state: true },
    search: { state: true },
  };

  static styles = [
    ...ToolDialog.styles,
    css`
      .drop { border: 1px dashed var(--line); border-radius: 6px; padding: 0.6rem; }
      .below { margin-left: 1rem; }
      #problems { color: var(--bad); }
    `,
  ];

  constructor() {
    super();
    /** @type {import('./types').Tree | null} */
    this.tree = null;
    this.search = '';
  }

  /** @param {File | undefined} file */
  take(file) {
    if (!file) return undefined;
    this.tree = null;
    return this.attempt(file.name, async () => {
      this.tree = await upload('/api/description', file);
    });
  }

  /** @param {DragEvent} e */
  drop(e) {
    e.preventDefault();
    this.take(e.dataTransfer?.files[0]);
  }

  render() {
    const { tree } = this;
    return this.frame(
      'Device description',
      html`<div class="drop" @dragover=${(/** @type {DragEvent} */ e) => e.preventDefault()} @drop=${this.drop}>
          <label>GenICam XML, or a zip file of it: <input type="file" id="description" accept=".xml,.zip" ?disabled=${!this.control || this.busy}
            @change=${(/** @type {any} */ e) => this.take(e.target.files[0])}></label> or drop it here. No device is asked for anything.
        </div>
        ${tree ? this.content(tree) : nothing}`,
    );
  }

  /** @param {import('./types').Tree} tree */
  content(tree) {
    const matches = matcher(this.search);
    return html`<h3 id="model">${tree.vendor} ${tree.model}</h3>
      <input type="search" id="search-description" placeholder="Search, or /expression/" aria-label="Search the description"
        .value=${this.search} @input=${(/** @type {any} */ e) => (this.search = e.target.value)}>
      ${tree.problems.length
        ? html`<details open><summary>${tree.problems.length} parts could not be used as they are</summary>
            <ul id="problems">${tree.problems.map((p) => html`<li data-node=${p.node}><b>${p.node}</b> ${p.message}</li>`)}</ul></details>`
        : nothing}
      ${(tree.root?.children ?? []).map((feature) => this.entry(feature, matches))}`;
  }

  /**
   * @param {import('./types').Feature} feature
   * @param {(feature: import('./types').Feature) => boolean} matches
   * @returns {unknown}
   */
  entry(feature, matches) {
    if (!feature.children) return matches(feature) ? this.leaf(feature) : nothing;
    const below = feature.children.map((child) => this.entry(child, matches)).filter((child) => child !== nothing);
    if (!below.length) return nothing;
    return html`<details ?open=${this.search !== ''} data-category=${feature.name}>
      <summary>${feature.display}</summary><div class="below">${below}</div></details>`;
  }

  /** @param {import('./types').Feature} feature */
  leaf(feature) {
    return html`<div data-feature=${feature.name}><b>${feature.display}</b> <code>${feature.name}</code>
      <span class="soft">${feature.type}, ${feature.visibility}${feature.selectors ? `, selected by ${feature.selectors.join(', ')}` : ''}${
        feature.deprecated ? ', deprecated' : ''
      }</span> ${feature.description || feature.toolTip}</div>`;
  }
}

customElements.define('description-dialog', DescriptionDialog);
