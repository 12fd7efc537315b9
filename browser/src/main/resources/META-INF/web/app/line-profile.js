import { LitElement, html, css } from '../lib/lit.js';
import { profile } from './layer.js';
import { shared } from './style.js';

const COLOURS = ['--bad', '--good', '--accent'];

/** The values along a line of the image, as a curve for each channel. */
class LineProfile extends LitElement {
  static properties = { text: { state: true } };

  static styles = [
    shared,
    css`:host { display: block; padding: 0.15rem 0.5rem; font-size: 0.92em; } canvas { width: 100%; height: 5rem; background: var(--back); }`,
  ];

  constructor() {
    super();
    this.text = '';
  }

  /** @param {import('./types').Layer} layer @param {import('./types').Line} line */
  draw(layer, line) {
    const channels = profile(layer, line);
    const values = channels.flat().filter((v) => v === v);
    const low = values.reduce((a, b) => Math.min(a, b), Infinity);
    const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    const mean = values.reduce((a, b) => a + b, 0) / (values.length || 1);
    this.text = values.length
      ? `(${line.x0}, ${line.y0}) to (${line.x1}, ${line.y1}): ${channels[0].length} pixels, ${low} to ${high}, mean ${mean.toFixed(2)}`
      : 'no values';
    const canvas = /** @type {HTMLCanvasElement | null} */ (this.renderRoot.querySelector('canvas'));
    const context = canvas?.getContext('2d');
    if (!canvas || !context || !values.length) return;
    canvas.width = Math.max(1, canvas.clientWidth);
    canvas.height = Math.max(1, canvas.clientHeight);
    const style = getComputedStyle(this);
    channels.forEach((curve, c) => {
      context.strokeStyle = channels.length === 1 ? style.color : style.getPropertyValue(COLOURS[c % 3]);
      context.beginPath();
      curve.forEach((value, i) => {
        const x = (i * (canvas.width - 1)) / Math.max(1, curve.length - 1);
        const y = (canvas.height - 2) * (1 - (value - low) / (high - low || 1)) + 1;
        if (i === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      });
      context.stroke();
    });
  }

  render() {
    return html`<canvas role="img" aria-label="Values along the line"></canvas><div id="profile">${this.text}</div>`;
  }
}

customElements.define('line-profile', LineProfile);
