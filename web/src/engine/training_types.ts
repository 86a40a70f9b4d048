// SPDX-License-Identifier: MIT
// The public types of training: what to learn, with what, and what each step tells.
// Letters: S source positions, T target tokens and the end after them.

import type { NdArray } from './types.js';

/** Pairs to learn from: lines of source, a tab, target; or a list. Every tenth is held out for evaluation. */
export interface PairTask {
  pairs: string | readonly (readonly [source: string, target: string])[];
  /** What a text is cut into. Default 'character'. */
  unit?: 'character' | 'word';
}

export interface TrainOptions {
  /** On digits: 'reverse', 'copy', 'sort'; 'dates' into the form 2026-12-31; or pairs of your own. Default 'reverse'. */
  task?: 'reverse' | 'copy' | 'sort' | 'dates' | PairTask;
  /** Least and most digits in training, of the tasks on digits. Default [2, 12]. */
  lengths?: readonly [number, number];
  /**
   * 'recurrent': encoder and decoder of Bahdanau et al. 2015. 'transformer': that of Vaswani et al. 2017, with the norm before each
   * sublayer. Options that the other one has are refused. Default 'recurrent'.
   */
  model?: 'recurrent' | 'transformer';
  /** Recurrent: Bahdanau's, or none: then the decoder learns of the source by its first state alone. Default 'additive'. */
  attention?: 'additive' | 'none';
  /** Recurrent. Default 'gru'. */
  cell?: 'gru' | 'lstm';
  /** Recurrent: the encoder reads both ways. Default true. */
  bidirectional?: boolean;
  /** Recurrent: the encoder reads from the source's end: Sutskever et al. 2014. Default false. */
  reverseSource?: boolean;
  /** Width of states in each direction, or of all that a Transformer adds to. Default 64. */
  hidden?: number;
  /** Recurrent: widths of embeddings (32) and inside the attention's tanh (64). */
  embedding?: number;
  attentionHidden?: number;
  /** Transformer: heads (4, dividing `hidden`), width inside the feed-forward network (128), layers of each side (2). */
  heads?: number;
  feedForward?: number;
  layers?: number;
  /** On embeddings and on what the logits are made of, in a Transformer on what each sublayer adds. Default 0. */
  dropout?: number;
  /** Examples of a step. Default 64. */
  batch?: number;
  /** Adam's. Default 5e-3, of a Transformer 3e-3. */
  learningRate?: number;
  /** Steps over which the rate rises from 0. Default 0. */
  warmup?: number;
  /** The largest norm of a gradient; 0 is off. Default 1. */
  clip?: number;
  /** 64 bits: a bigint, or an integer up to 2^53. The same seed gives the same run on the same build. Default 1. */
  seed?: number | bigint;
  /** After how many steps `for await` ends. Default 250. */
  steps?: number;
  /** Evaluate every so many steps of `for await`, and after the last; 0 is never. Default 25. */
  evaluateEvery?: number;
  /** Held-out examples of each length. Default 64. */
  evaluateCount?: number;
  /** What save() gave, of a run with the same task and model: goes on from there. */
  from?: Uint8Array | ArrayBuffer;
  /** `false` runs in slices on this thread; default: a worker where one can be had. */
  worker?: boolean;
  signal?: AbortSignal;
}

export interface LengthScore {
  /** of the source */
  length: number;
  /** held-out examples; 0 when there are none of this length */
  count: number;
  /** share of target tokens that stand at their place in the greedy output */
  tokenAccuracy: number;
  /** share of outputs equal to their target */
  exactMatch: number;
  /** mean alignment weight within one place of the anti-diagonal; 0 without attention */
  bandMass: number;
  /** mean place of the alignment weight, in columns right of the anti-diagonal */
  lean: number;
}

export interface TrainingStep {
  /** steps done */
  step: number;
  /** cross entropy over the batch, nats a token */
  loss: number;
  /** before clipping */
  gradientNorm: number;
  learningRate: number;
  /** by source length, when this step was to be evaluated */
  accuracy?: readonly LengthScore[];
}

export interface Alignment {
  /** symbols of the source, and of the target without the end */
  source: readonly string[];
  target: readonly string[];
  /**
   * [T, S]: row i are the weights with which token i was read off the source, in a Transformer those of the last layer's cross-attention,
   * mean of its heads; [0, S] without attention
   */
  weights: NdArray;
}

export interface DecodedSequence extends Alignment {
  output: string;
  /** false when no end came within the steps allowed */
  isComplete: boolean;
  /** of the output and its end */
  logProbability: number;
}

export interface TrainingInfo {
  task: string;
  parameters: number;
  sourceSymbols: readonly string[];
  targetSymbols: readonly string[];
  /** source lengths that evaluation is done on */
  lengths: readonly number[];
}

/** A model in training. Calls may overlap: each waits for the one before. */
export interface TrainingRun extends AsyncIterable<TrainingStep> {
  readonly info: TrainingInfo;
  readonly mode: 'worker' | 'slices';
  /** Steps done. */
  readonly step: number;
  /** One step a turn up to `steps`; stop asking to pause, ask again to go on. */
  [Symbol.asyncIterator](): AsyncIterator<TrainingStep, void>;
  /**
   * One step, also beyond `steps`. Throws `state` when it diverges: the weights are then back at the last good step, and load()
   * or a new run with a lower rate goes on from save().
   */
  advance(): Promise<TrainingStep>;
  /** Greedy decoding of held-out examples; always the same ones for a seed. */
  evaluate(options?: { lengths?: readonly number[]; count?: number }): Promise<LengthScore[]>;
  /** The model's own output for a source. `beam`: width of the search, 1 is greedy. Throws `value` naming an unknown symbol. */
  decode(source: string, options?: { beam?: number }): Promise<DecodedSequence>;
  /** The alignment for a given target, the right token being fed at every step. Without a target: the task's own answer. */
  alignment(source: string, target?: string): Promise<Alignment>;
  /** |d loss / d x_j| by source position j, of the loss at one output position (default 0); `relative`: over their sum. */
  gradients(source: string, options?: { target?: string; position?: number; relative?: boolean }): Promise<Float32Array>;
  /** Weights, optimiser, random numbers and step: going on from them is bit for bit as if the run had not stopped. */
  save(): Promise<Uint8Array>;
  /** Throws `format` for bytes that are damaged or of another task or model; the run has not changed then. */
  load(bytes: Uint8Array | ArrayBuffer): Promise<void>;
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
