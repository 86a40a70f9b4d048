// SPDX-License-Identifier: MIT
// The public types of the engine: what `createLookback()` gives and takes.
// Shape letters: B batch, T queries, S keys, H query heads, G key/value heads, D width, K head width, V vocabulary, L layers.

import type { Decoder, LoadDecoderOptions, Source } from './decoder_types.js';
import type { TrainOptions, TrainingRun } from './training_types.js';

export type * from './decoder_types.js';
export type * from './training_types.js';

/** Nested arrays of numbers, row-major: `[[1, 0], [0, 1]]` has shape [2, 2]. */
export type Nested = number | readonly Nested[];

/** A dense row-major array: element [i, j] of shape [m, n] is `data[i * n + j]`. Arrays returned are copies. */
export interface NdArray {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** Numbers that live in the core's memory until `dispose()`; accepted wherever arrays are. */
export interface Tensor {
  readonly shape: readonly number[];
  /** A copy of the numbers. Throws `disposed` after `dispose()`. */
  read(): NdArray;
  /** Gives the memory back; harmless when called twice. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export type ArrayInput = Nested | NdArray | Tensor;

export type ErrorCode =
  /** shapes that disagree */
  | 'shape'
  /** a number or word outside what the argument allows, NaN in a field, text for a number */
  | 'value'
  /** an index, token or position outside its range */
  | 'range'
  /** a file that is not what it says */
  | 'format'
  /** a file or option that is right but that this build can't do */
  | 'unsupported'
  /** not enough memory */
  | 'memory'
  /** a call that the object's state does not allow: a full context, a second generation at once */
  | 'state'
  /** a handle used after `dispose()` */
  | 'disposed'
  /** stopped by the caller's signal */
  | 'aborted'
  /** a URL that could not be read */
  | 'network'
  /** WebAssembly or its SIMD is missing, or the module could not start */
  | 'environment';

/** At most one of the three. A row whose every key is masked gives zeros. */
export interface MaskOptions {
  /** Truthy or 1 keeps a key, 0 drops it; broadcast to the scores' shape. Only 0, 1 and booleans. */
  keep?: ArrayInput | readonly boolean[] | readonly (readonly boolean[])[];
  /** The opposite of `keep`. */
  ignore?: ArrayInput | readonly boolean[] | readonly (readonly boolean[])[];
  /** Added to the scores; -Infinity drops a key. */
  bias?: ArrayInput;
}

export interface ReadingOptions extends MaskOptions {
  /** Read instead of the keys, [S, ...]. Default: the keys. */
  values?: ArrayInput;
  /** Divides the scores before the softmax; above 0. Default 1. */
  temperature?: number;
  /** Hard lookup: all weight on the highest score, the lowest index on a tie. */
  hard?: boolean;
}

/** Bahdanau, Cho, Bengio 2015: e_j = va . tanh(q Wa + k_j Ua + ba). Weights are [in, out]: row vectors times matrix. */
export interface AdditiveInput extends ReadingOptions {
  /** [Dq] for one query or [T, Dq]. */
  query: ArrayInput;
  /** [S, Dk] */
  keys: ArrayInput;
  /** [Dq, N] */
  Wa: ArrayInput;
  /** [Dk, N] */
  Ua: ArrayInput;
  /** [N] */
  va: ArrayInput;
  /** [N], inside the tanh. Default none. */
  ba?: ArrayInput;
}

/** Luong, Pham, Manning 2015: dot q.k, general q Wa k, concat va . tanh([q; k] Wa). */
export interface LuongInput extends ReadingOptions {
  query: ArrayInput;
  keys: ArrayInput;
  score: 'dot' | 'general' | 'concat';
  /** general: [Dq, Dk]; concat: [Dq + Dk, N] */
  Wa?: ArrayInput;
  /** concat: [N] */
  va?: ArrayInput;
}

/** Shapes for one query: scores and weights [S], context [Dv]; for T queries: [T, S] and [T, Dv]. */
export interface Reading {
  /** Before masks and temperature. */
  scores: NdArray;
  weights: NdArray;
  context: NdArray;
}

export interface AdditiveReading extends Reading {
  /** q Wa: [N] or [T, N] */
  queryProjection: NdArray;
  /** k_j Ua for every key: [S, N]; it does not depend on the query. */
  keyProjection: NdArray;
  /** tanh(...): [S, N] or [T, S, N] */
  hidden: NdArray;
}

export type Causal = boolean | 'bottom-right' | 'top-left';

/** Vaswani et al. 2017, eq. 1: softmax(q k^T * scale + mask) v. */
export interface ScaledDotProductInput extends MaskOptions {
  /** [T, K], [H, T, K] or [B, H, T, K] */
  q: ArrayInput;
  /** the same rank, G heads where G divides H: consecutive query heads share a key head */
  k: ArrayInput;
  v: ArrayInput;
  /** Set where q [.., T, H K], k [.., S, G K] and v [.., S, G Kv] are packed; the output is [.., T, H Kv] then, all else as without. */
  heads?: number;
  /** G of packed arrays. Default: heads. */
  kvHeads?: number;
  /** Default 1 / sqrt(K). */
  scale?: number;
  /** `true` aligns bottom-right: the last query sees every key. */
  causal?: Causal;
  /** Key position of query 0 for `causal` and `window`; default by the alignment, 0 without `causal`. */
  queryPosition?: number;
  /** Keys further left or right than this of the query's own position are dropped. */
  window?: { left?: number; right?: number };
  /** cap * tanh(score / cap), before the mask. */
  softCap?: number;
  /** Number of real keys of each batch item, [B]; causal queries end there. */
  validLengths?: readonly number[];
  /** Keys and values of earlier calls, put before k and v: [B, G, P, K]. */
  pastKey?: ArrayInput;
  pastValue?: ArrayInput;
  /**
   * `false`: the output alone, by the fused kernel, whose memory grows with S and not with T S; a Tensor when q is one.
   * Default `true`: every intermediate value.
   */
  capture?: boolean;
}

/** What `capture: false` leaves. */
export interface FusedResult<Output extends NdArray | Tensor = NdArray | Tensor> {
  output: Output;
  presentKey?: NdArray;
  presentValue?: NdArray;
}

export interface ScaledDotProductResult {
  output: NdArray;
  /** [.., T, S] */
  weights: NdArray;
  /** q k^T * scale, before cap and masks */
  scores: NdArray;
  /** after the soft cap */
  cappedScores: NdArray;
  /** after cap and masks: what the softmax saw; dropped keys are -Infinity */
  maskedScores: NdArray;
  /** past and new together, when a past was given */
  presentKey?: NdArray;
  presentValue?: NdArray;
}

/** head_h = Attention(x Wq_h, m Wk_h, m Wv_h); output = [head_1; ..; head_H] Wo. */
export interface MultiHeadInput extends MaskOptions {
  /** [T, D] or [B, T, D] */
  x: ArrayInput;
  /** Cross-attention: keys and values come from here, [S, Dm]. Default: x. */
  memory?: ArrayInput;
  heads: number;
  /** Default: heads. */
  kvHeads?: number;
  /** [D, H K], [Dm, G K], [Dm, G Kv], [H Kv, Do] */
  Wq: ArrayInput;
  Wk: ArrayInput;
  Wv: ArrayInput;
  /** Default: none, the heads' outputs side by side. */
  Wo?: ArrayInput;
  bq?: ArrayInput;
  bk?: ArrayInput;
  bv?: ArrayInput;
  bo?: ArrayInput;
  causal?: Causal;
  scale?: number;
  /** `false`: the output alone, by the fused kernel; a Tensor when x is one. Default `true`. */
  capture?: boolean;
}

export interface MultiHeadResult {
  /** [T, Do] */
  output: NdArray;
  /** [H, T, K], [G, S, K], [G, S, Kv] (with B in front for a batch) */
  q: NdArray;
  k: NdArray;
  v: NdArray;
  /** [H, T, S] */
  scores: NdArray;
  maskedScores: NdArray;
  weights: NdArray;
  /** each head's own output, [H, T, Kv] */
  headOutputs: NdArray;
}

export interface AttentionFunctions {
  additive(input: AdditiveInput): AdditiveReading;
  luong(input: LuongInput): Reading;
  scaledDotProduct(input: ScaledDotProductInput & { capture: false; q: Tensor }): FusedResult<Tensor>;
  scaledDotProduct(input: ScaledDotProductInput & { capture: false; q: Nested | NdArray }): FusedResult<NdArray>;
  scaledDotProduct(input: ScaledDotProductInput & { capture?: true }): ScaledDotProductResult;
  scaledDotProduct(input: ScaledDotProductInput): ScaledDotProductResult | FusedResult;
  multiHead(input: MultiHeadInput & { capture: false; x: Tensor }): { output: Tensor };
  multiHead(input: MultiHeadInput & { capture: false; x: Nested | NdArray }): { output: NdArray };
  multiHead(input: MultiHeadInput & { capture?: true }): MultiHeadResult;
  multiHead(input: MultiHeadInput): MultiHeadResult | { output: NdArray | Tensor };
}

export interface NormOptions {
  /** First axis that is normalised; negative counts from the end. Default -1. */
  axis?: number;
  /** Added to the variance (or mean square) inside the root. Default 1e-5. */
  epsilon?: number;
}

/** What one step of a recurrent layer hands to the next. */
export interface RecurrentState {
  /** [B, N] */
  hidden: NdArray;
}

export interface LstmState extends RecurrentState {
  cell: NdArray;
}

/** One direction of a recurrent layer with states of N numbers and G gates: x W + bW + h R + bR. */
export interface RecurrentDirection {
  /** [D, G N] */
  W: ArrayInput;
  /** [N, G N] */
  R: ArrayInput;
  /** [G N] each; default zeros. */
  bW?: ArrayInput;
  bR?: ArrayInput;
  /** The state before the first step, [B, N]. Default: zeros. */
  hidden?: ArrayInput;
}

export interface LstmDirection extends RecurrentDirection {
  cell?: ArrayInput;
}

/** At least one direction; both make the layer bidirectional. */
export interface RecurrentInput<Direction> {
  /** [B, T, D] */
  x: ArrayInput;
  forward?: Direction;
  /** From each item's own last step to its first. */
  reverse?: Direction;
  /** Steps of each item, [B], from 0 to T; beyond them the output is 0 and the state stays. Default: all are T. */
  lengths?: readonly number[];
}

export interface RecurrentResult<State> {
  /** [B, T, N], or [B, T, 2 N] with both directions, the forward one first. */
  output: NdArray;
  /** The states after each item's last step, of the directions that were given. */
  forward?: State;
  reverse?: State;
}

/** Hochreiter, Schmidhuber 1997: i, f, o = sigmoid(..), g = tanh(..), c' = f c + i g, h' = o tanh(c'). */
export interface LstmInput extends RecurrentInput<LstmDirection> {
  /** Order of the gates' columns in all weights: 'ifgo' (default; PyTorch, Keras), 'iofg' (ONNX), 'igfo' (TensorFlow 1) or any other. */
  gates?: string;
}

/** Cho et al. 2014: r, z = sigmoid(..), h' = (1 - z) n + z h. */
export interface GruInput extends RecurrentInput<RecurrentDirection> {
  /**
   * Where the reset gate acts: 'before' the product, n = tanh(.. + (r h) R + bR), as in the paper and ONNX's default; 'after' it,
   * n = tanh(.. + r (h R + bR)), as in PyTorch and Keras. They are different models.
   */
  reset: 'before' | 'after';
  /** Order of the gates' columns in all weights: 'rzn' (default; PyTorch) or 'zrn' (ONNX, Keras). */
  gates?: string;
}

export interface NnFunctions {
  /** Along `axis`, default -1. */
  softmax(x: ArrayInput, options?: { axis?: number; temperature?: number }): NdArray;
  logSoftmax(x: ArrayInput, options?: { axis?: number }): NdArray;
  /** (x - mean) / sqrt(var + epsilon) * weight + bias, over all axes from `axis` on; variance divides by n. */
  layerNorm(x: ArrayInput, weight?: ArrayInput, bias?: ArrayInput, options?: NormOptions): { output: NdArray; mean: NdArray; inverseDeviation: NdArray };
  /** x / sqrt(mean(x^2) + epsilon) * weight */
  rmsNorm(x: ArrayInput, weight?: ArrayInput, options?: NormOptions): NdArray;
  /** 'erf' is the exact form, 'tanh' the approximation of GPT-2. Default 'erf'. */
  gelu(x: ArrayInput, form?: 'erf' | 'tanh'): NdArray;
  /** x * sigmoid(alpha x); alpha 1 is SiLU. */
  swish(x: ArrayInput, alpha?: number): NdArray;
  tanh(x: ArrayInput): NdArray;
  sigmoid(x: ArrayInput): NdArray;
  /** x [.., in] times weight [in, out] plus bias [out]. */
  linear(x: ArrayInput, weight: ArrayInput, bias?: ArrayInput): NdArray;
  /** Rows of table [V, D]. */
  embedding(table: ArrayInput, ids: readonly number[]): NdArray;
  /** A pure function of its input: no state is kept between calls. */
  lstm(input: LstmInput): RecurrentResult<LstmState>;
  gru(input: GruInput): RecurrentResult<RecurrentState>;
}

export interface PositionFunctions {
  /** PE[p, 2i] = sin(p / 10000^(2i/D)), PE[p, 2i+1] = cos(same): [length, width]. 'concatenated' puts all sines first. */
  sinusoidal(length: number, width: number, options?: { base?: number; layout?: 'interleaved' | 'concatenated' }): NdArray;
  /**
   * Rotates pairs of x [.., T, K] by position * base^(-2i/R).
   * `pairing`: 'interleaved' (2i, 2i+1) or 'half' (i, i + R/2). `width` R: how many leading features turn; default K.
   */
  rotary(x: ArrayInput, options: { positions?: readonly number[]; pairing: 'interleaved' | 'half'; base?: number; width?: number }): NdArray;
  /** The same with given tables, cos and sin of shape [T, R/2] or [B, T, R/2]; x is [B, H, T, K]. */
  rotaryFromTables(x: ArrayInput, cos: ArrayInput, sin: ArrayInput, options: { pairing: 'interleaved' | 'half' }): NdArray;
}

export interface GpuMatmul {
  /** Who computes: 'webgpu' after its self-test, else 'wasm'. */
  readonly backend: 'wasm' | 'webgpu';
  /** Why not WebGPU; empty when it is. */
  readonly reason: string;
  /** The adapter, in words; empty without one. */
  readonly adapter: string;
  matmul(a: ArrayInput, b: ArrayInput): Promise<NdArray>;
  dispose(): void;
}

export interface Stats {
  /** live Tensor handles and sessions */
  handles: number;
  /** bytes held by them: tensors, of each decoder its file and cache, of each training run its weights and optimiser */
  bytes: number;
  /** size of the core's memory; it never shrinks */
  heapBytes: number;
}

export interface CreateOptions {
  /** Default: relaxed SIMD where the browser has it. */
  build?: 'baseline' | 'relaxed';
}

/** An operand that is stored the other way: a as [.., K, M], b as [.., N, K]. */
export interface MatmulOptions {
  transposeA?: boolean;
  transposeB?: boolean;
}

export interface Lookback {
  readonly build: 'baseline' | 'relaxed';
  readonly version: string;
  readonly attention: AttentionFunctions;
  readonly nn: NnFunctions;
  readonly positions: PositionFunctions;
  tensor(data: ArrayInput | ArrayLike<number>, shape?: readonly number[]): Tensor;
  /**
   * a b: [.., M, K] times [.., K, N] gives [.., M, N]; leading axes broadcast, a vector on the left is one row, on the right one
   * column. A Tensor when either operand is one, else an array. Throws `shape` naming both shapes when they do not fit.
   */
  matmul(a: Tensor, b: ArrayInput, options?: MatmulOptions): Tensor;
  matmul(a: ArrayInput, b: Tensor, options?: MatmulOptions): Tensor;
  matmul(a: Nested | NdArray, b: Nested | NdArray, options?: MatmulOptions): NdArray;
  loadDecoder(source: Source, options?: LoadDecoderOptions): Promise<Decoder>;
  /** Trains a recurrent encoder-decoder, in a worker or in slices. Throws `value` and `range` for options that make no sense. */
  train(options?: TrainOptions): Promise<TrainingRun>;
  /** The matrix product on WebGPU, proved against this build first; wasm with a reason otherwise. Operands are uploaded for each call. */
  gpu(): Promise<GpuMatmul>;
  stats(): Stats;
  dispose(): void;
  [Symbol.dispose](): void;
}
