// What all components look like.
import { css } from '../lib/lit.js';

export const shared = css`
  * { box-sizing: border-box; }
  button, select, input {
    font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 4px;
    padding: 0.2em 0.55em; min-height: 1.9em;
  }
  button { cursor: pointer; }
  button.primary { background: var(--accent); color: var(--accent-text); border-color: var(--accent); }
  button:disabled, input:disabled, select:disabled { opacity: 0.55; cursor: not-allowed; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  h2 { font-size: 1em; margin: 0; }
  .bad { color: var(--bad); }
  .soft { color: var(--soft); }
  .row { display: flex; gap: 0.4rem; align-items: center; flex-wrap: wrap; }
  [role='alert'] { color: var(--bad); margin: 0.3rem 0; overflow-wrap: anywhere; }
  table { border-collapse: collapse; }
  td, th { text-align: left; padding: 0.1rem 0.5rem 0.1rem 0; vertical-align: top; }
  dialog { color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: 8px; max-width: 56rem; }
`;

/** @param {unknown} e */
export const reason = (e) => (e instanceof Error ? e.message : String(e));
