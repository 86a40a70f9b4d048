// SPDX-License-Identifier: MIT
// The raw wasm module: its shape, its choice of build, and the one place that turns its errors into LookbackError.
import { LookbackError, type PlainError, fromPlain } from './errors.js';
import type { Alternative, DecoderInfo, NdArray } from './types.js';

export type Build = 'baseline' | 'relaxed';

/** A C++ object; the memory is given back by delete() only. */
export interface RawHandle {
  delete(): void;
}

export type Result<T> = T | { error: PlainError };
/** The number of a resident tensor. */
export type RawTensor = number;
export type RawInput = RawTensor | NdArray;
type Options = Record<string, unknown>;

export interface RawFileBytes extends RawHandle {
  reserve(size: number): Result<object>;
  append(chunk: Uint8Array): Result<object>;
}

export interface RawSample {
  token: number;
  logProbability: number;
  top: Alternative[];
}

/** bindings/decoder.hpp says what each does. */
export interface RawDecoder extends RawHandle {
  info(): Result<DecoderInfo & { sessionBytes: number }>;
  plan(): Result<string>;
  tokenize(text: Uint8Array, withStart: boolean): Result<Int32Array>;
  detokenize(ids: Int32Array): Result<string>;
  pieces(ids: Int32Array): Result<string[]>;
  start(options: Options): Result<object>;
  begin(ids: Int32Array, allLogits: boolean, attention: boolean): Result<object>;
  advance(maxOps: number): Result<{ done: boolean }>;
  cancel(): Result<object>;
  sample(alternatives: number): Result<RawSample>;
  predicted(row: number, token: number, alternatives: number): Result<RawSample>;
  pushText(token: number): Result<{ text: string; end: boolean }>;
  finishText(): Result<string>;
  logits(row: number): Result<Float32Array>;
  attention(row: number): Result<Float32Array>;
}

export type RawFunction =
  | 'additive' | 'luong' | 'scaledDotProduct' | 'multiHead'
  | 'softmax' | 'logSoftmax' | 'layerNorm' | 'rmsNorm' | 'activation' | 'linear' | 'embedding' | 'recurrent'
  | 'sinusoidal' | 'rotary' | 'rotaryFromTables';

export type RawModule = Record<RawFunction, (options: Options) => Result<unknown>> & {
  FileBytes: new () => RawFileBytes;
  makeTensor(array: NdArray): Result<RawTensor>;
  readTensor(tensor: RawTensor): Result<NdArray>;
  /** What made a function below answer -1. */
  lastError(): { error: PlainError };
  _lookback_matmul(a: RawTensor, b: RawTensor, transposeA: number, transposeB: number): RawTensor;
  _lookback_release(tensor: RawTensor): void;
  _lookback_rank(tensor: RawTensor): number;
  _lookback_extent(tensor: RawTensor, axis: number): number;
  stats(): Result<{ bytes: number; heapBytes: number }>;
  openDecoder(file: RawFileBytes, tokenizer: RawFileBytes, context: number): Result<{ decoder: RawDecoder }>;
};

/** The result, or its error thrown. */
export function unwrap<T>(result: Result<T>): T {
  if (typeof result === 'object' && result !== null && 'error' in result) throw fromPlain(result.error);
  return result as T;
}

// (module (func (param v128 v128 v128) (result v128) local.get 0 local.get 1 local.get 2 f32x4.relaxed_madd))
const RELAXED_SIMD = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 123, 123, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 1, 32, 2, 253,
  133, 2, 11,
);
// (module (func (result v128) i32.const 0 i8x16.splat))
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11);

/** The build this browser can run. Throws `environment` where WebAssembly or its SIMD is missing. */
export function chooseBuild(): Build {
  if (typeof WebAssembly !== 'object') throw new LookbackError('environment', 'This browser has no WebAssembly, or a policy of this page forbids it.');
  if (!WebAssembly.validate(SIMD)) throw new LookbackError('environment', 'This browser’s WebAssembly has no SIMD; it is too old for these figures.');
  return WebAssembly.validate(RELAXED_SIMD) ? 'relaxed' : 'baseline';
}

type Loader<T> = () => Promise<{ default: () => Promise<T> }>;

/** A new instance with memory of its own. */
export async function startModule<T>(build: Build, load: Loader<T>): Promise<T> {
  try {
    const { default: createModule } = await load();
    return await createModule();
  } catch (cause) {
    throw new LookbackError('environment', `The ${build} build of the core could not start: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

export function loadModule(build: Build): Promise<RawModule> {
  return startModule(build, () => (build === 'relaxed' ? import('#wasm/relaxed') : import('#wasm/baseline')));
}
