// The messages with pixels: a header of 64 bytes, then the values line by line (see LayerHeader.java).

const MAGIC = 0x31464750;
const HEADER = 64;

/**
 * Whether a message has a JPEG file instead of values.
 * @param {ArrayBuffer} message
 */
const isJpeg = (message) => message.byteLength > HEADER && (new DataView(message).getUint8(23) & 8) !== 0;

/**
 * Decodes what a message has.
 * @param {ArrayBuffer} message
 * @returns {Promise<import('./types').Layer> | import('./types').Layer}
 */
export function decodeLayer(message) {
  return isJpeg(message) ? decodeJpeg(message) : parseLayer(message);
}

/** @param {ArrayBuffer} message @returns {Promise<import('./types').Layer>} */
async function decodeJpeg(message) {
  const bitmap = await createImageBitmap(new Blob([new Uint8Array(message, HEADER)], { type: 'image/jpeg' }));
  const { width, height } = bitmap;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { ...properties(new DataView(message)), sampleBytes: 1, channels: 4, pixels: new Uint8Array(data.buffer) };
}

/**
 * @param {ArrayBuffer} message
 * @returns {import('./types').Layer}
 */
export function parseLayer(message) {
  const view = new DataView(message);
  if (message.byteLength < 64 || view.getUint32(0, true) !== MAGIC) throw new Error('The server sent no pixels');
  const header = view.getUint16(4, true);
  const sampleBytes = view.getUint8(6);
  const channels = view.getUint8(7);
  const width = view.getUint32(12, true);
  const height = view.getUint32(16, true);
  const flags = view.getUint8(23);
  const count = width * height * channels;
  // The header is a multiple of eight bytes, so that nothing is copied.
  const pixels =
    sampleBytes === 1 ? new Uint8Array(message, header, count)
    : sampleBytes === 2 ? new Uint16Array(message, header, count)
    : new Float32Array(message, header, count);
  return { ...properties(view), sampleBytes, channels, pixels };
}

/**
 * What the header says.
 * @param {DataView} view
 */
function properties(view) {
  const flags = view.getUint8(23);
  return {
    format: view.getUint32(8, true),
    width: view.getUint32(12, true),
    height: view.getUint32(16, true),
    index: view.getUint16(20, true),
    bits: view.getUint8(22),
    complete: (flags & 1) === 0,
    converted: (flags & 2) !== 0,
    last: (flags & 4) !== 0,
    blockId: view.getBigUint64(24, true),
    timestamp: view.getBigUint64(32, true),
    offsetX: view.getInt32(40, true),
    offsetY: view.getInt32(44, true),
    component: view.getBigUint64(48, true),
  };
}

/**
 * The values of one pixel.
 * @param {import('./types').Layer} layer
 * @param {number} x
 * @param {number} y
 * @returns {number[]}
 */
export function valuesAt(layer, x, y) {
  const start = (y * layer.width + x) * layer.channels;
  return Array.from(layer.pixels.subarray(start, start + layer.channels));
}

/**
 * The smallest and largest value of one channel, from at most some 65,000 pixels.
 * @param {import('./types').Layer} layer
 * @param {number} channel
 * @returns {[number, number]}
 */
export function range(layer, channel) {
  let low = Infinity;
  let high = -Infinity;
  const pixels = layer.width * layer.height;
  const step = Math.max(1, Math.floor(pixels / 65536)) * layer.channels;
  for (let i = channel; i < pixels * layer.channels; i += step) {
    const value = layer.pixels[i];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

/**
 * How often values occur, in equal steps between two limits; values outside count at the ends.
 * @param {import('./types').Layer} layer
 * @param {number} low
 * @param {number} high
 * @param {number} bins
 * @returns {Uint32Array}
 */
export function histogram(layer, low, high, bins) {
  const counts = new Uint32Array(bins);
  const channel = layer.channels === 3 && layer.sampleBytes === 4 ? 2 : 0;
  const pixels = layer.width * layer.height;
  const step = Math.max(1, Math.floor(pixels / 262144)) * layer.channels;
  const scale = bins / (high - low || 1);
  for (let i = channel; i < pixels * layer.channels; i += step) {
    const bin = Math.floor((layer.pixels[i] - low) * scale);
    if (bin === bin) counts[Math.min(bins - 1, Math.max(0, bin))]++;
  }
  return counts;
}

/**
 * The values along a line, pixel by pixel, for each channel.
 * @param {import('./types').Layer} layer
 * @param {import('./types').Line} line
 * @returns {number[][]}
 */
export function profile(layer, line) {
  const steps = Math.max(Math.abs(line.x1 - line.x0), Math.abs(line.y1 - line.y0));
  /** @type {number[][]} */
  const channels = Array.from({ length: layer.channels }, () => []);
  for (let i = 0; i <= steps; i++) {
    const part = steps ? i / steps : 0;
    const x = Math.round(line.x0 + part * (line.x1 - line.x0));
    const y = Math.round(line.y0 + part * (line.y1 - line.y0));
    if (x >= 0 && y >= 0 && x < layer.width && y < layer.height) {
      valuesAt(layer, x, y).forEach((value, c) => channels[c].push(value));
    }
  }
  return channels;
}
