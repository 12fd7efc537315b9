import { html, nothing } from '../lib/lit.js';
import { get, post, put } from './api.js';
import { ToolDialog } from './tool-dialog.js';
import { reason } from './style.js';

/** @type {Record<string, string>} */
const SOURCES = {
  given: 'as you gave it',
  adapter: 'as the adapter reports',
  camera: 'as a camera reports',
  assumed: 'assumed, since nothing reports it',
};

/** @param {number | undefined} bytes */
const megabytes = (bytes) => (bytes === undefined ? '' : `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB/s`);

/** How the open cameras share the links of the host, and the packet delays with which they do. */
class BandwidthDialog extends ToolDialog {
  static properties = {
    links: { state: true },
    given: { state: true },
    results: { state: true },
  };

  constructor() {
    super();
    /** @type {import('./types').LinkPlan[] | null} */
    this.links = null;
    /**
     * Speeds that the user gave, by interface.
     * @type {Record<string, string>}
     */
    this.given = {};
    /**
     * What was found or went wrong, by camera.
     * @type {Record<string, string>}
     */
    this.results = {};
  }

  show() {
    super.show();
    this.results = {};
    this.load('');
  }

  /** @param {string} done */
  load(done) {
    return this.attempt(done, async () => {
      const link = Object.entries(this.given).filter(([, speed]) => speed).map((entry) => entry.join(':')).join(',');
      this.links = (await get(`/api/bandwidth?link=${encodeURIComponent(link)}`)).links;
    });
  }

  /** @param {string} name @param {string} speed */
  give(name, speed) {
    this.given = { ...this.given, [name]: speed };
    return this.load('');
  }

  /** @param {import('./types').LinkPlan} link */
  async apply(link) {
    this.results = {};
    await this.attempt('', async () => {
      for (const camera of link.cameras) {
        if (camera.plannedTicks === undefined) continue;
        try {
          await put(`/api/cameras/${camera.id}/packet-delay`, { ticks: camera.plannedTicks });
        } catch (e) {
          this.results = { ...this.results, [camera.id]: reason(e) };
        }
      }
    });
    await this.load(Object.keys(this.results).length ? '' : 'the packet delays are set');
  }

  /** @param {string} id */
  probe(id) {
    this.results = {};
    return this.attempt('', async () => {
      const found = await post(`/api/cameras/${id}/probe-path`);
      this.results = { [id]: `${found.evidence}${found.fix ? ` → ${found.fix}` : ''}` };
    });
  }

  render() {
    return this.frame(
      'Bandwidth',
      html`<p class="soft">What the cameras that are open take of each link at their packet size and frame rate. Several cameras on one
          link need packet delays, so that their frames do not overflow the switch.</p>
        ${this.links && !this.links.length ? html`<p>Open the cameras first.</p>` : nothing}
        ${(this.links ?? []).map((link) => this.link(link))}`,
    );
  }

  /** @param {import('./types').LinkPlan} link */
  link(link) {
    const blocked = !this.control || this.busy;
    return html`<fieldset data-link=${link.interface}>
      <legend>${link.interface}</legend>
      <div class="row">
        <label>Link speed <input type="number" min="1" class="speed" size="7" .value=${String(link.megabitsPerSecond)}
          @change=${(/** @type {any} */ e) => this.give(link.interface, e.target.value)}> Mbit/s</label>
        <span class="soft">${SOURCES[link.source]}</span>
        <label>Used <meter max="1" high="0.95" value=${Math.min(1, link.load)}></meter> <b class="load">${(100 * link.load).toFixed(2)} %</b></label>
      </div>
      ${link.warnings.map((warning) => html`<p class="bad warning">${warning}</p>`)}
      <table class="numbers">
        <tr><th>Camera</th><th>Rate</th><th>Packets</th><th>On the link</th><th>Delay now</th><th>Delay planned</th><th></th></tr>
        ${link.cameras.map(
          (camera) => html`<tr data-camera=${camera.id}>
            <td>${camera.name}</td>
            <td>${camera.framesPerSecond === undefined ? nothing : `${camera.framesPerSecond.toFixed(1)}/s`}</td>
            <td>${camera.packetBytes === undefined ? nothing : `${camera.packetBytes} bytes`}</td>
            <td class="rate">${megabytes(camera.linkBytesPerSecond)}</td>
            <td class="delay">${camera.delayTicks ?? '?'}</td>
            <td class="planned">${camera.plannedTicks === undefined ? camera.problem : html`${camera.plannedTicks} ticks of ${this.tick(camera)}`}</td>
            <td><button class="probe" ?disabled=${blocked} title="Lets the camera send test packets; a stream stops meanwhile"
              @click=${() => this.probe(camera.id)}>Probe path</button></td>
          </tr>
          ${this.results[camera.id] ? html`<tr><td></td><td colspan="6" class="result">${this.results[camera.id]}</td></tr>` : nothing}`,
        )}
      </table>
      <button class="apply primary" ?disabled=${blocked} @click=${() => this.apply(link)}>Set the planned delays</button>
    </fieldset>`;
  }

  /** @param {import('./types').LinkPlan['cameras'][0]} camera */
  tick(camera) {
    const nanos = 1e9 / Number(camera.tickHertz);
    return `${Number.isInteger(nanos) ? nanos : nanos.toFixed(2)} ns`;
  }
}

customElements.define('bandwidth-dialog', BandwidthDialog);
