import { LitElement, html, css, nothing } from '../lib/lit.js';
import { GlView } from './gl-view.js';
import { histogram, range, valuesAt } from './layer.js';
import { Cloud } from './cloud.js';
import { shared, reason } from './style.js';
import './image-overlay.js';
import './line-profile.js';
import './region-form.js';

const BINS = 128;

/**
 * One component: its image or cloud of points, window and level, zoom and pan, the value under the pointer, a histogram,
 * the profile of a line, and the region of the sensor.
 */
class FrameTile extends LitElement {
  static properties = {
    info: { attribute: false },
    caption: { attribute: false },
    camera: { attribute: false },
    running: { type: Boolean },
    compact: { type: Boolean },
    control: { type: Boolean },
    tool: { state: true },
    region: { state: true },
    line: { state: true },
    cloudShown: { state: true },
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
      :host(:not([compact])) .canvas { min-height: 13rem; }
      canvas.image { position: absolute; inset: 0; width: 100%; height: 100%; cursor: crosshair; touch-action: none; }
      canvas.histogram { width: 8rem; height: 2rem; background: var(--back); }
      .row, summary { padding: 0.15rem 0.5rem; font-size: 0.92em; }
      input[type='number'] { width: 6.5rem; }
      .tools { margin-left: auto; }
      button[aria-pressed='true'] { border-color: var(--accent); box-shadow: inset 0 -3px 0 var(--accent); }
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
    this.control = false;
    this.tool = '';
    /** @type {import('./types').Box | null} */
    this.region = null;
    /** @type {import('./types').Line | null} */
    this.line = null;
    this.cloudShown = false;
    /** @type {Cloud | null} */
    this.cloud = null;
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
      this.cloud = new Cloud(this.view);
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

  /**
   * Takes a frame; called when the page draws.
   * @param {import('./types').Layer} layer
   */
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
    this.overlay?.place(scale, x, y);
    if (this.cloudShown && this.hasDepth) {
      this.cloud?.draw(low, high);
      return;
    }
    this.view.draw({ low, high, gamma, falseColours, scale, x, y }, this.info);
  }

  /** Whether the layer can be seen as a cloud of points. */
  get hasDepth() {
    return this.info?.family === 'coordinates' && this.layer?.sampleBytes === 4;
  }

  get overlay() {
    return /** @type {any} */ (this.renderRoot.querySelector('image-overlay'));
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
    if (layer.sampleBytes === 4 || (this.info?.family === 'coordinates' && !layer.converted)) {
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
    this.about = `${this.info?.format ?? ''} ${layer.width} x ${layer.height}, block ${layer.blockId}, timestamp ${layer.timestamp}`
      + `${layer.complete ? '' : ', incomplete'}${layer.converted ? ', converted to 8 bits' : ''}`;
    this.inspect();
    this.drawHistogram();
    this.drawProfile();
  }

  drawProfile() {
    const curve = /** @type {any} */ (this.renderRoot.querySelector('line-profile'));
    if (!curve || !this.layer || !this.line) return;
    if (curve.hasUpdated) curve.draw(this.layer, this.line);
    else curve.updateComplete.then(() => this.drawProfile());
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
    if (this.cloudShown) {
      this.cloud?.zoomBy(factor);
      this.redraw();
      return;
    }
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
      if (this.cloudShown) {
        this.cloud?.turn((e.offsetX - this.dragged.x) / 100, (e.offsetY - this.dragged.y) / 100);
        this.dragged = this.pointer;
        this.redraw();
        return;
      }
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
    if (this.cloudShown && this.turnByKey(e.key)) {
      e.preventDefault();
      return;
    }
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

  /** @param {string} key */
  turnByKey(key) {
    /** @type {Record<string, [number, number]>} */
    const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    if (turns[key]) this.cloud?.turn(...turns[key]);
    else if (key === '0') this.cloud?.reset();
    else return false;
    this.redraw();
    return true;
  }

  /** @param {string} tool */
  choose(tool) {
    this.tool = this.tool === tool ? '' : tool;
    this.region = null;
    this.line = null;
    const { layer } = this;
    if (this.tool === 'profile' && layer) {
      const y = Math.floor(layer.height / 2);
      this.line = { x0: 0, y0: y, x1: layer.width - 1, y1: y };
    }
  }

  /**
   * What was drawn on the image.
   * @param {{from: {x: number, y: number}, to: {x: number, y: number}}} points
   */
  drawn({ from, to }) {
    const { layer } = this;
    if (!layer) return;
    if (this.tool === 'region') {
      const x = Math.floor(Math.min(from.x, to.x));
      const y = Math.floor(Math.min(from.y, to.y));
      const width = Math.max(1, Math.ceil(Math.max(from.x, to.x)) - x);
      const height = Math.max(1, Math.ceil(Math.max(from.y, to.y)) - y);
      this.region = { x, y, width, height };
    } else {
      const at = (/** @type {number} */ v, /** @type {number} */ size) => Math.min(size - 1, Math.floor(v));
      this.line = { x0: at(from.x, layer.width), y0: at(from.y, layer.height), x1: at(to.x, layer.width), y1: at(to.y, layer.height) };
      this.drawProfile();
    }
  }

  /**
   * The region in pixels of the sensor, and back.
   * @param {import('./types').Box | null} box
   * @param {number} sign
   */
  onSensor(box, sign) {
    const { layer } = this;
    return box && layer && { ...box, x: box.x + sign * layer.offsetX, y: box.y + sign * layer.offsetY };
  }

  /** @param {boolean} on */
  showCloud(on) {
    this.cloudShown = on;
    this.choose('');
    this.redraw();
  }

  updated() {
    this.drawProfile();
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
    const forms = this.info?.family === 'coordinates' && (this.layer?.channels ?? 0) > 1 ? ['ply'] : ['png', 'tiff', 'jpeg'];
    return html`<span>save ${forms.map((form) => html`<a download href="${path}/${form}">${form.toUpperCase()}</a> `)}</span>`;
  }

  actualSize() {
    this.zoomAt(1 / this.scale, this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
  }

  tools() {
    const button = (/** @type {string} */ tool, /** @type {string} */ label) => html`<button id="tool-${tool}"
      aria-pressed=${this.tool === tool} @click=${() => this.choose(tool)}>${label}</button>`;
    const depth = this.info?.family === 'coordinates';
    return html`
      ${depth
        ? html`<button id="cloud" aria-pressed=${this.cloudShown} @click=${() => this.showCloud(!this.cloudShown)}>3D</button>`
        : nothing}
      ${this.cloudShown && depth ? nothing : [button('profile', 'Profile'), button('region', 'Region')]}
    `;
  }

  render() {
    return html`
      <div class="row">
        <b>${this.caption}</b><span class="soft" id="about">${this.about}</span>
        <span class="row tools">${this.tools()}</span>
      </div>
      <div class="canvas">
        <canvas class="image" tabindex="0" role="img"
          aria-label="${this.caption}: plus and minus zoom, arrows ${this.cloudShown ? 'turn' : 'move'}, 0 ${this.cloudShown ? 'turns back' : 'fits'}"
          @pointerdown=${this.down} @pointermove=${this.move} @pointerup=${() => (this.dragged = null)}
          @pointerleave=${() => { this.pointer = null; this.inspect(); }} @keydown=${this.key}></canvas>
        <image-overlay tool=${this.tool} .region=${this.region} .line=${this.line}
          .size=${{ width: this.layer?.width ?? 1, height: this.layer?.height ?? 1 }}
          @drawn=${(/** @type {CustomEvent} */ e) => this.drawn(e.detail)}></image-overlay>
      </div>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}
      ${this.tool === 'region'
        ? html`<region-form .camera=${this.camera} ?control=${this.control} .region=${this.onSensor(this.region, 1)}
            @region=${(/** @type {CustomEvent} */ e) => (this.region = this.onSensor(e.detail, -1))}
            @done=${() => (this.region = null)}></region-form>`
        : nothing}
      ${this.tool === 'profile' ? html`<line-profile></line-profile>` : nothing}
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
