// What the page uses of Lit, for the check of its types; https://lit.dev/docs/api/LitElement/ has all.

export class LitElement extends HTMLElement {
  static properties: Record<string, { type?: unknown; state?: boolean; attribute?: boolean | string; reflect?: boolean }>;
  static styles: unknown;
  readonly renderRoot: ShadowRoot;
  readonly hasUpdated: boolean;
  readonly updateComplete: Promise<boolean>;
  connectedCallback(): void;
  disconnectedCallback(): void;
  requestUpdate(): void;
  render(): unknown;
}

export function html(strings: TemplateStringsArray, ...values: unknown[]): unknown;
export function css(strings: TemplateStringsArray, ...values: unknown[]): unknown;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): unknown;
export const nothing: unique symbol;
