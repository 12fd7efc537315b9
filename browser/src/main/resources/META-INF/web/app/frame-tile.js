import { LitElement, html, css, nothing } from '../lib/lit.js';
import { GlView } from './gl-view.js';
import { histogram, range, valuesAt } from './layer.js';
import { shared, reason } from './style.js';

const BINS = 128;

/** One component: its image, window and level, zoom and pan, the value under the pointer, and a histogram. */
class FrameTile extends LitElement {
  static properties = {
    info: { attribute: false },
    caption: { attribute: false },
    camera: { attribute: false },
    running: { type: Boolean },
    compact: { type: Boolean },
    low: { state: true },
    high: { state: true },
    gamma: { state: true },
    falseColours: { state: true },
    fitted: { state: true },
    pixel: { state: true },
    about: { state: true },
    problem: { state: true },
    showHistogram: { state: true },
  };

  static styles = [
    shared,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; min-width: 0; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
      .canvas { position: relative; flex: 1; min-height: 4rem; overflow: hidden; }
      canvas.image { position: absolute; inset: 0; width: 100%; height: 100%; cursor: crosshair; touch-action: none; }
      canvas.histogram { width: 8rem; height: 2rem; background: var(--back); }
      .row, summary { padding: 0.15rem 0.5rem; font-size: 0.92em; }
      input[type='number'] { width: 6.5rem; }
      .pixel { font-variant-numeric: tabular-nums; min-width: 11rem; }
    `,
  ];

  constructor() {
    super();
    /** @type {import('./types').LayerInfo | undefined} */
    this.info = undefined;
    this.caption = '';
    this.camera = '';
    this.running = false;
    this.compact = false;
    this.low = 0;
    this.high = 255;
    this.gamma = 1;
    this.falseColours = false;
    this.fitted = true;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.pixel = '';
    this.about = '';
    this.problem = '';
    this.showHistogram = true;
    /** @type {GlView | null} */
    this.view = null;
    /** @type {import('./types').Layer | null} */
    this.layer = null;
    this.windowFor = '';
    /** @type {{x: number, y: number} | null} */
    this.pointer = null;
    /** @type {{x: number, y: number} | null} */
    this.dragged = null;
    /** @type {ResizeObserver | null} */
    this.observer = null;
    this.lastText = 0;
  }

  /** @returns {HTMLCanvasElement} */
  get canvas() {
    return /** @type {HTMLCanvasElement} */ (this.renderRoot.querySelector('canvas.image'));
  }

  firstUpdated() {
    try {
      this.view = new GlView(this.canvas);
    } catch (e) {
      this.problem = reason(e);
      return;
    }
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.canvas);
    this.resize();
    this.canvas.addEventListener('wheel', (e) => this.zoom(e), { passive: false });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.observer?.disconnect();
    this.view?.dispose();
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    this.redraw();
  }

  /** Takes a frame; called when the page draws. @param {import('./types').Layer} layer */
  show(layer) {
    if (!this.view) return;
    this.layer = layer;
    const key = `${layer.format} ${layer.converted}`;
    if (key !== this.windowFor) {
      this.windowFor = key;
      this.resetWindow();
    }
    try {
      this.view.upload(layer);
      this.problem = '';
    } catch (e) {
      this.problem = reason(e);
      return;
    }
    this.redraw();
    const now = performance.now();
    if (now - this.lastText > 200) {
      this.lastText = now;
      this.describe();
    }
  }

  redraw() {
    if (!this.view || !this.layer) return;
    if (this.fitted) this.fit();
    const { low, high, gamma, falseColours, scale, x, y } = this;
    this.view.draw({ low, high, gamma, falseColours, scale, x, y }, this.info);
  }

  fit() {
    const { canvas, layer } = this;
    if (!layer) return;
    this.scale = Math.min(canvas.width / layer.width, canvas.height / layer.height);
    this.x = (canvas.width - layer.width * this.scale) / 2;
    this.y = (canvas.height - layer.height * this.scale) / 2;
  }

  resetWindow() {
    const { layer } = this;
    if (!layer) return;
    if (layer.sampleBytes === 4 || this.info?.family === 'coordinates') {
      this.autoWindow();
      this.falseColours = true;
    } else {
      this.low = 0;
      const bits = layer.converted ? 8 : Math.min(layer.bits || 8, 8 * layer.sampleBytes);
      this.high = 2 ** bits - 1;
      this.falseColours = false;
    }
  }

  autoWindow() {
    if (!this.layer) return;
    const channel = this.info?.family === 'coordinates' ? this.layer.channels - 1 : 0;
    [this.low, this.high] = range(this.layer, channel);
  }

  describe() {
    const { layer } = this;
    if (!layer) return;
    this.about = `${this.info?.format ?? ''} ${layer.width} x ${layer.height}, block ${layer.blockId}`
      + `${layer.complete ? '' : ', incomplete'}${layer.converted ? ', converted to 8 bits' : ''}`;
    this.inspect();
    this.drawHistogram();
  }

  inspect() {
    const { layer, pointer } = this;
    if (!layer || !pointer) {
      this.pixel = '';
      return;
    }
    const ratio = window.devicePixelRatio || 1;
    const x = Math.floor((pointer.x * ratio - this.x) / this.scale);
    const y = Math.floor((pointer.y * ratio - this.y) / this.scale);
    const inside = x >= 0 && y >= 0 && x < layer.width && y < layer.height;
    this.pixel = inside ? `(${x + layer.offsetX}, ${y + layer.offsetY}) = ${valuesAt(layer, x, y).join(', ')}` : '';
  }

  drawHistogram() {
    const canvas = /** @type {HTMLCanvasElement | null} */ (this.renderRoot.querySelector('canvas.histogram'));
    const context = canvas?.getContext('2d');
    if (!canvas || !context || !this.layer) return;
    const counts = histogram(this.layer, this.low, this.high, BINS);
    const most = Math.max(1, ...counts);
    canvas.width = BINS;
    canvas.height = 32;
    context.fillStyle = getComputedStyle(this).color;
    counts.forEach((count, i) => {
      const height = count ? Math.max(1, Math.round((32 * Math.log1p(count)) / Math.log1p(most))) : 0;
      context.fillRect(i, 32 - height, 1, height);
    });
  }

  /** @param {WheelEvent} e */
  zoom(e) {
    e.preventDefault();
    this.zoomAt(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY);
  }

  /** @param {number} factor @param {number} cssX @param {number} cssY */
  zoomAt(factor, cssX, cssY) {
    const ratio = window.devicePixelRatio || 1;
    const px = cssX * ratio;
    const py = cssY * ratio;
    const scale = Math.min(64, Math.max(0.02, this.scale * factor));
    this.x = px - ((px - this.x) * scale) / this.scale;
    this.y = py - ((py - this.y) * scale) / this.scale;
    this.scale = scale;
    this.fitted = false;
    this.redraw();
  }

  /** @param {PointerEvent} e */
  down(e) {
    this.dragged = { x: e.offsetX, y: e.offsetY };
    this.canvas.setPointerCapture(e.pointerId);
  }

  /** @param {PointerEvent} e */
  move(e) {
    this.pointer = { x: e.offsetX, y: e.offsetY };
    if (this.dragged && e.buttons & 1) {
      const ratio = window.devicePixelRatio || 1;
      this.x += (e.offsetX - this.dragged.x) * ratio;
      this.y += (e.offsetY - this.dragged.y) * ratio;
      this.dragged = this.pointer;
      this.fitted = false;
      this.redraw();
    }
    this.inspect();
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowLeft: () => (this.x += 32),
      ArrowRight: () => (this.x -= 32),
      ArrowUp: () => (this.y += 32),
      ArrowDown: () => (this.y -= 32),
    };
    if (e.key === '+' || e.key === '-') {
      this.zoomAt(e.key === '+' ? 1.25 : 0.8, this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
    } else if (e.key === '0') {
      this.fitted = true;
      this.redraw();
    } else if (moves[e.key]) {
      this.fitted = false;
      moves[e.key]();
      this.redraw();
    } else return;
    e.preventDefault();
  }

  /** @param {Partial<{low: number, high: number, gamma: number, falseColours: boolean}>} change */
  adjust(change) {
    Object.assign(this, change);
    this.redraw();
    this.drawHistogram();
  }

  /** Links to files of the next frame. */
  downloads() {
    const path = `/api/cameras/${this.camera}/snapshot/${this.info?.index}`;
    const forms = this.info?.family === 'coordinates' && (this.layer?.channels ?? 0) > 1 ? ['ply'] : ['png', 'tiff'];
    return html`<span>save ${forms.map((form) => html`<a download href="${path}/${form}">${form.toUpperCase()}</a> `)}</span>`;
  }

  actualSize() {
    this.zoomAt(1 / this.scale, this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
  }

  render() {
    return html`
      <div class="row">
        <b>${this.caption}</b><span class="soft" id="about">${this.about}</span>
      </div>
      <div class="canvas">
        <canvas class="image" tabindex="0" role="img"
          aria-label="${this.caption}: plus and minus zoom, arrows move, 0 fits"
          @pointerdown=${this.down} @pointermove=${this.move} @pointerup=${() => (this.dragged = null)}
          @pointerleave=${() => { this.pointer = null; this.inspect(); }} @keydown=${this.key}></canvas>
      </div>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      <div class="row">
        <span class="pixel" id="pixel">${this.pixel || 'point at a pixel'}</span>
        ${this.running ? this.downloads() : nothing}
        <canvas class="histogram" role="img" aria-label="Histogram between the limits, logarithmic"></canvas>
      </div>
      <details ?open=${!this.compact}>
        <summary>Window, zoom</summary>
        <div class="row">
        <label>from <input id="low" type="number" step="any" .value=${String(this.low)}
          @change=${(/** @type {any} */ e) => this.adjust({ low: Number(e.target.value) })}></label>
        <label>to <input id="high" type="number" step="any" .value=${String(this.high)}
          @change=${(/** @type {any} */ e) => this.adjust({ high: Number(e.target.value) })}></label>
        <button id="auto" @click=${() => { this.autoWindow(); this.adjust({}); }}>Auto</button>
        <button @click=${() => { this.resetWindow(); this.adjust({ gamma: 1 }); }}>Reset</button>
        <label>gamma <input type="number" min="0.1" max="5" step="0.1" .value=${String(this.gamma)}
          @change=${(/** @type {any} */ e) => this.adjust({ gamma: Math.max(0.1, Number(e.target.value)) })}></label>
        <label><input type="checkbox" .checked=${this.falseColours}
          @change=${(/** @type {any} */ e) => this.adjust({ falseColours: e.target.checked })}> false colours</label>
        <button @click=${() => { this.fitted = true; this.redraw(); }}>Fit</button>
        <button @click=${this.actualSize}>1:1</button>
        </div>
      </details>
    `;
  }
}

customElements.define('frame-tile', FrameTile);
