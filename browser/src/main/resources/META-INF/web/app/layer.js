// The messages with pixels: a header of 64 bytes, then the values line by line (see LayerHeader.java).

const MAGIC = 0x31464750;

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
  return {
    sampleBytes,
    channels,
    format: view.getUint32(8, true),
    width,
    height,
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
    pixels,
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
