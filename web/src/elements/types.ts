// SPDX-License-Identifier: MIT
// The figures as pages see them: properties, methods and events, without the library they are built with.
import type { Decoder, Step, TrainingRun, TrainingStep } from '../engine/types.js';

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

/** `<lookback-decoder>`; the attributes `src` and `tokenizer` are no part of the state in a link. */
export interface LookbackDecoder extends LookbackFigure {
  /** Address of a model, loaded when the figure comes near the viewport. */
  src: string;
  /** Address of the tokenizer of a llama2.c checkpoint. */
  tokenizer: string;
  prompt: string;
  /** 0 to 2 */
  temperature: number;
  /** 0 is off. */
  topK: number;
  /** 1 is off. */
  topP: number;
  seed: number;
  /** Written by one press. */
  maxTokens: number;
  /** From 1. */
  layer: number;
  head: number;
  /** The chosen token, from 0; -1 follows the newest. */
  position: number;
  /** Every step of the present text, attention of all layers and heads included. */
  readonly steps: readonly Step[];
  /** The engine's decoder, once a model is loaded; the figure disposes it. */
  readonly decoder: Decoder | undefined;
}

/** `<lookback-bottleneck>` */
export interface LookbackBottleneck extends LookbackFigure {
  /** Steps of each of the three trainings. */
  steps: number;
  seed: number;
  /** Digits of the source that numbers stored and gradients are shown for. */
  length: number;
  /** The output whose loss sends the gradient. */
  output: 'first' | 'last';
  /** The engine's runs, once there are any; the figure disposes them. */
  readonly runs: Readonly<Partial<Record<'vector' | 'reversed' | 'attention', TrainingRun>>>;
}

/** `<lookback-reversal>`; `pairs` are no part of the state in a link. */
export interface LookbackReversal extends LookbackFigure {
  task: 'reverse' | 'copy' | 'sort' | 'dates' | 'pairs';
  attention: 'additive' | 'none';
  cell: 'gru' | 'lstm';
  /** The encoder reads each source from its end. */
  reverseSource: boolean;
  /** Learning rate. */
  rate: number;
  seed: number;
  /** Steps of one training. */
  steps: number;
  /** The source whose alignment is shown; empty for the task's example. */
  input: string;
  /** What own pairs are cut into. */
  unit: 'character' | 'word';
  /** Lines of source, a tab, target, for the task 'pairs'. */
  pairs: string;
  /** The engine's run, once there is one; the figure disposes it. */
  readonly run: TrainingRun | undefined;
  readonly history: readonly TrainingStep[];
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
    'lookback-bottleneck': LookbackBottleneck;
    'lookback-decoder': LookbackDecoder;
    'lookback-reversal': LookbackReversal;
    'lookback-self-attention': LookbackSelfAttention;
  }
}
