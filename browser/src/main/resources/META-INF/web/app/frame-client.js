// Receives the frames of one camera. The server sends the next frame when all messages of the last one are drawn.
import { parseLayer } from './layer.js';

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
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws/frames`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      socket.send(JSON.stringify({ camera }));
      if (this.items) this.choose(this.items);
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
    this.waiting.push(parseLayer(data));
    if (!this.scheduled) this.scheduled = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.scheduled = 0;
    const layers = this.waiting;
    this.waiting = [];
    for (const layer of layers) {
      try {
        this.handler.onLayer(layer);
      } finally {
        if (this.socket.readyState === WebSocket.OPEN) this.socket.send('1');
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

  close() {
    this.closed = true;
    if (this.scheduled) cancelAnimationFrame(this.scheduled);
    this.socket.close();
  }
}
