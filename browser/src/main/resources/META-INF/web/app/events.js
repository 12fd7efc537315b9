// What the server notifies the page of, as events of one EventTarget: the name is the type of the message.

class Events extends EventTarget {
  constructor() {
    super();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.connected = false;
    this.delay = 250;
  }

  /** Connects, and again after each loss; then everything has to be read again, as after an overflow. */
  connect() {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws/events`);
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      this.connected = true;
      this.dispatchEvent(new CustomEvent('connected'));
      this.dispatchEvent(new CustomEvent('overflow'));
    };
    socket.onmessage = (message) => {
      const event = JSON.parse(message.data);
      this.dispatchEvent(new CustomEvent(event.type, { detail: event }));
    };
    socket.onclose = () => {
      this.connected = false;
      this.dispatchEvent(new CustomEvent('disconnected'));
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(this.delay * 2, 5000);
    };
  }

  /**
   * @param {string} type
   * @param {(detail: any) => void} listener
   * @returns {() => void} removes the listener
   */
  on(type, listener) {
    /** @param {Event} e */
    const wrapped = (e) => listener(/** @type {CustomEvent} */ (e).detail);
    this.addEventListener(type, wrapped);
    return () => this.removeEventListener(type, wrapped);
  }
}

export const events = new Events();
