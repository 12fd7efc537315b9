// Receives the frames of one camera. The server sends the next frame when all messages of the last one are drawn.
import { decodeLayer } from './layer.js';

export class FrameClient {
  /**
   * @param {string} camera
   * @param {{onLayout: (items: import('./types').LayerInfo[]) => void, onLayer: (layer: import('./types').Layer) => void,
   *   onFrame: () => void, onClose: (reason: string) => void}} handler
   */
  constructor(camera, handler) {
    this.handler = handler;
    /** @type {import('./types').Layer[]} */
    this.waiting = [];
    this.scheduled = 0;
    this.closed = false;
    /** @type {number[] | null} */
    this.items = null;
    this.quality = 0;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws/frames`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      socket.send(JSON.stringify({ camera }));
      if (this.items) this.choose(this.items);
      if (this.quality) this.compress(this.quality);
    };
    socket.onmessage = (message) => this.receive(message.data);
    socket.onclose = (event) => {
      if (!this.closed) handler.onClose(event.reason || 'The connection to the server was lost');
    };
    this.socket = socket;
  }

  /** @param {string | ArrayBuffer} data */
  receive(data) {
    if (typeof data === 'string') {
      const message = JSON.parse(data);
      if (message.type === 'layout') this.handler.onLayout(message.items);
      return;
    }
    const layer = decodeLayer(data);
    if (!(layer instanceof Promise)) {
      this.take(layer);
      return;
    }
    // The server waits for an answer to what it sent, so that one is decoded at a time.
    layer.then(
      (decoded) => this.take(decoded),
      () => this.answer(),
    );
  }

  /** @param {import('./types').Layer} layer */
  take(layer) {
    if (this.closed) return;
    this.waiting.push(layer);
    if (!this.scheduled) this.scheduled = requestAnimationFrame(() => this.draw());
  }

  answer() {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send('1');
  }

  draw() {
    this.scheduled = 0;
    const layers = this.waiting;
    this.waiting = [];
    for (const layer of layers) {
      try {
        this.handler.onLayer(layer);
      } finally {
        this.answer();
      }
    }
    if (layers.some((layer) => layer.last)) this.handler.onFrame();
  }

  /**
   * Chooses what is sent from now on.
   * @param {number[]} items
   */
  choose(items) {
    this.items = items;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ items }));
  }

  /**
   * Chooses JPEG, for slow lines.
   * @param {number} quality 1 to 100; 0 for the values
   */
  compress(quality) {
    this.quality = quality;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ jpeg: quality || null }));
  }

  close() {
    this.closed = true;
    if (this.scheduled) cancelAnimationFrame(this.scheduled);
    this.socket.close();
  }
}
