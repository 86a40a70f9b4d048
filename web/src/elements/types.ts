// SPDX-License-Identifier: MIT
// The figures as pages see them: properties, methods and events, without the library they are built with.

/** What every figure has. Attributes have the same names, in kebab case; `theme`, `predict` and `hide` are attributes only. */
export interface LookbackFigure extends HTMLElement {
  /** 'baseline' or 'relaxed' once the core runs. */
  readonly build: string | undefined;
  /** Set by a page that keeps state in its URL: enables "Copy link". */
  link?: () => string;
  /** What differs from the attributes the page was written with, as a short text for a URL. */
  saveState(): string;
  /** Never throws: what is unknown or broken is left out. */
  loadState(text: string): void;
  reset(): void;
}

/** `<lookback-additive>`; vectors are rows, weights are [in, out]. */
export interface LookbackAdditive extends LookbackFigure {
  query: readonly number[];
  keys: readonly (readonly number[])[];
  wa: readonly (readonly number[])[];
  ua: readonly (readonly number[])[];
  va: readonly number[];
  /** One flag for each annotation; missing flags are true. */
  keep: readonly boolean[];
  /** 0.05 to 10 */
  temperature: number;
}

/** `<lookback-self-attention>` */
export interface LookbackSelfAttention extends LookbackFigure {
  /** At most eight words are used. */
  text: string;
  /** Vectors of words, where they differ from those set by hand. */
  vectors: Readonly<Record<string, readonly number[]>>;
  form: 'projected' | 'free';
  wq: readonly (readonly number[])[];
  wk: readonly (readonly number[])[];
  wv: readonly (readonly number[])[];
  heads: number;
  mask: 'none' | 'causal';
  keep: readonly boolean[];
  word: number;
  order: string;
  step: 'embed' | 'project' | 'score' | 'weigh' | 'mix';
}

/** Fired by every figure; all bubble and cross shadow roots. */
export interface LookbackFigureEvents {
  change: CustomEvent<{ state: Record<string, unknown> }>;
  error: CustomEvent<{ code: string; where: string; message: string }>;
  answer: CustomEvent<{ guess: string; answer: string; isRight: boolean }>;
  progress: CustomEvent<{ phase: string; loaded: number; total?: number }>;
}

declare global {
  interface HTMLElementTagNameMap {
    'lookback-additive': LookbackAdditive;
    'lookback-self-attention': LookbackSelfAttention;
  }
}
