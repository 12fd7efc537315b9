import { html, css, nothing } from '../lib/lit.js';
import { file, post } from './api.js';
import { ToolDialog, download } from './tool-dialog.js';

/** Most severe first. */
const ORDER = ['FAIL', 'WARN', 'SKIP', 'PASS'];

/** What the doctor finds on the host, and about the camera that is shown. */
class DoctorDialog extends ToolDialog {
  static properties = {
    examination: { state: true },
    all: { state: true },
  };

  static styles = [
    ...ToolDialog.styles,
    css`
      .FAIL, .WARN { color: var(--bad); }
      .PASS { color: var(--good); }
      .SKIP { color: var(--soft); }
    `,
  ];

  constructor() {
    super();
    /** @type {import('./types').Examination | null} */
    this.examination = null;
    this.all = false;
  }

  examine() {
    this.examination = null;
    return this.attempt('examined', async () => {
      this.examination = await post(this.path('doctor'));
    });
  }

  report() {
    return this.attempt('saved: look through it before you pass it on', async () => {
      download('peregrine-report.zip', await file(this.path('report')));
    });
  }

  /**
   * About the camera that is shown, if there is one.
   * @param {string} what
   */
  path(what) {
    const camera = this.open().some((one) => one.id === this.selected);
    return camera ? `/api/cameras/${this.selected}/${what}` : `/api/${what}`;
  }

  render() {
    const found = this.examination;
    return this.frame(
      'Doctor',
      html`<p class="soft">Looks at what the host that serves this page has for streams by UDP and RDMA and for distribution, and at the camera that is shown. Changes nothing.</p>
        <div class="row">
          <button id="examine" class="primary" ?disabled=${!this.control || this.busy} @click=${this.examine}>Examine</button>
          <button id="report" ?disabled=${!this.control || this.busy} title="A zip file for a bug report: findings, versions, settings, registers and description of the camera"
            @click=${this.report}>Save a report</button>
          ${found
            ? html`<span id="counts">${found.fail} failed, ${found.warn} to be improved, ${found.skip} skipped, ${found.pass} passed</span>
                <button id="script" @click=${() => download('fix.sh', new Blob([found.script], { type: 'text/plain' }))}>Fixes as a script</button>
                <label><input type="checkbox" id="all" .checked=${this.all}
                  @change=${(/** @type {any} */ e) => (this.all = e.target.checked)}> also what passed or was skipped</label>`
            : nothing}
        </div>
        ${found ? this.table(found) : nothing}`,
    );
  }

  /** @param {import('./types').Examination} examination */
  table(examination) {
    const shown = examination.findings
      .filter((finding) => this.all || finding.verdict === 'FAIL' || finding.verdict === 'WARN')
      .sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
    if (!shown.length) return html`<p id="findings">Nothing is to be improved.</p>`;
    return html`<table id="findings">
      <tr><th>Verdict</th><th>Check</th><th>Found</th></tr>
      ${shown.map(
        (finding) => html`<tr data-group=${finding.group} data-check=${finding.check}>
          <td class=${finding.verdict}>${finding.verdict}</td>
          <td>${finding.check}</td>
          <td>${finding.subject ? html`${finding.subject}: ` : nothing}${finding.evidence}
            ${finding.fix ? html`<div class="soft">→ ${finding.fix}</div>` : nothing}</td>
        </tr>`,
      )}
    </table>`;
  }
}

customElements.define('doctor-dialog', DoctorDialog);
