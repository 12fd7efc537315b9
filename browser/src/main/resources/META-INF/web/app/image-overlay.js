import { LitElement, css, nothing, svg, html } from '../lib/lit.js';

/**
 * What a tool draws on an image: the rectangle of a region, or the line of a profile. Fires "drawn" with two points in
 * pixels of the image while the pointer is held, and "finished" after it.
 */
class ImageOverlay extends LitElement {
  static properties = {
    tool: { type: String, reflect: true },
    region: { attribute: false },
    line: { attribute: false },
    size: { attribute: false },
  };

  static styles = css`
    :host { position: absolute; inset: 0; pointer-events: none; }
    :host([tool='region']), :host([tool='profile']) { pointer-events: auto; cursor: crosshair; touch-action: none; }
    svg { width: 100%; height: 100%; display: block; }
    rect, line { fill: none; vector-effect: non-scaling-stroke; }
    .under { stroke: #000; stroke-width: 3.5; }
    .over { stroke: #ffd54a; stroke-width: 1.5; }
  `;

  constructor() {
    super();
    this.tool = '';
    /** @type {import('./types').Box | null} */
    this.region = null;
    /** @type {import('./types').Line | null} */
    this.line = null;
    this.size = { width: 1, height: 1 };
    this.view = { scale: 1, x: 0, y: 0 };
    /** @type {{x: number, y: number} | null} */
    this.from = null;
    this.addEventListener('pointerdown', (e) => this.down(e));
    this.addEventListener('pointermove', (e) => this.move(e));
    this.addEventListener('pointerup', () => this.up());
  }

  /** Where the image is: (x, y) of its left upper corner and the scale, in pixels of the screen. */
  place(/** @type {number} */ scale, /** @type {number} */ x, /** @type {number} */ y) {
    const { view } = this;
    if (view.scale === scale && view.x === x && view.y === y) return;
    this.view = { scale, x, y };
    if (this.region || this.line) this.requestUpdate();
  }

  /** @param {PointerEvent} e */
  at(e) {
    const box = this.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    const { scale, x, y } = this.view;
    const clamp = (/** @type {number} */ v, /** @type {number} */ most) => Math.min(most, Math.max(0, v));
    return {
      x: clamp(((e.clientX - box.left) * ratio - x) / scale, this.size.width),
      y: clamp(((e.clientY - box.top) * ratio - y) / scale, this.size.height),
    };
  }

  /** @param {PointerEvent} e */
  down(e) {
    if (!this.tool) return;
    this.from = this.at(e);
    this.setPointerCapture(e.pointerId);
  }

  /** @param {PointerEvent} e */
  move(e) {
    if (!this.from) return;
    this.dispatchEvent(new CustomEvent('drawn', { detail: { from: this.from, to: this.at(e) } }));
  }

  up() {
    this.from = null;
    this.dispatchEvent(new CustomEvent('finished'));
  }

  render() {
    const ratio = window.devicePixelRatio || 1;
    const { scale, x, y } = this.view;
    const place = `translate(${x / ratio} ${y / ratio}) scale(${scale / ratio})`;
    const { region, line } = this;
    return html`<svg aria-hidden="true"><g transform=${place}>
      ${region
        ? ['under', 'over'].map((c) => svg`<rect class=${c} x=${region.x} y=${region.y} width=${region.width} height=${region.height}></rect>`)
        : nothing}
      ${line
        ? ['under', 'over'].map((c) => svg`<line class=${c} x1=${line.x0 + 0.5} y1=${line.y0 + 0.5} x2=${line.x1 + 0.5} y2=${line.y1 + 0.5}></line>`)
        : nothing}
    </g></svg>`;
  }
}

customElements.define('image-overlay', ImageOverlay);
