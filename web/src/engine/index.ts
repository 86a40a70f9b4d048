// SPDX-License-Identifier: MIT
// The entry of the package: createLookback() and what it gives.
import { checkShape, toFloats, toNdArray } from './arrays.js';
import { attentionFunctions } from './attention.js';
import { Core } from './core.js';
import type { HostedDecoder } from './decoder.js';
import { LookbackError } from './errors.js';
import { type Build, chooseBuild, loadModule, unwrap } from './module.js';
import { nnFunctions, positionFunctions } from './nn.js';
import type {
  ArrayInput, AttentionFunctions, CreateOptions, Decoder, GpuMatmul, LoadDecoderOptions, Lookback, MatmulOptions, Nested,
  NdArray, NnFunctions, PositionFunctions, Source, Stats, Tensor, TrainOptions, TrainingRun,
} from './types.js';
import type { HostedTraining } from './training.js';
import { VERSION } from './version.js';

export { LookbackError } from './errors.js';
export type * from './types.js';

class Instance implements Lookback {
  readonly build: Build;
  readonly version = VERSION;
  readonly attention: AttentionFunctions;
  readonly nn: NnFunctions;
  readonly positions: PositionFunctions;
  readonly #core: Core;
  readonly #decoders = new Set<HostedDecoder>();
  readonly #gpus = new Set<GpuMatmul>();
  readonly #runs = new Set<HostedTraining>();

  constructor(core: Core) {
    this.#core = core;
    this.build = core.build;
    this.attention = attentionFunctions(core);
    this.nn = nnFunctions(core);
    this.positions = positionFunctions(core);
  }

  tensor(data: ArrayInput | ArrayLike<number>, shape?: readonly number[]): Tensor {
    if (shape === undefined) return this.#core.tensor(isTensor(data) ? data.read() : toNdArray('tensor: data', data));
    const flat = ArrayBuffer.isView(data) || Array.isArray(data) ? (data as ArrayLike<number>) : toNdArray('tensor: data', data).data;
    return this.#core.tensor({ data: toFloats('tensor: data', flat), shape: checkShape('tensor: data', shape, flat.length) });
  }

  matmul(a: Tensor, b: ArrayInput, options?: MatmulOptions): Tensor;
  matmul(a: ArrayInput, b: Tensor, options?: MatmulOptions): Tensor;
  matmul(a: Nested | NdArray, b: Nested | NdArray, options?: MatmulOptions): NdArray;
  matmul(a: ArrayInput, b: ArrayInput, options?: MatmulOptions): Tensor | NdArray {
    return this.#core.matmul(a, b, options);
  }

  async loadDecoder(source: Source, options: LoadDecoderOptions = {}): Promise<Decoder> {
    void this.#core.module;
    const { loadDecoder } = await import('./load_decoder.js');
    const decoder = await loadDecoder(this.build, source, options, (disposed) => this.#decoders.delete(disposed));
    await this.#orDispose(() => decoder.dispose());
    this.#decoders.add(decoder);
    return decoder;
  }

  async train(options: TrainOptions = {}): Promise<TrainingRun> {
    void this.#core.module;
    const { train } = await import('./training.js');
    const run = await train(this.build, options, (disposed) => this.#runs.delete(disposed));
    await this.#orDispose(() => run.dispose());
    this.#runs.add(run);
    return run;
  }

  async gpu(): Promise<GpuMatmul> {
    void this.#core.module;
    const { createGpuMatmul } = await import('../gpu/index.js');
    const gpu = await createGpuMatmul({ matmul: (a, b) => this.#product(a, b) });
    await this.#orDispose(() => gpu.dispose());
    this.#gpus.add(gpu);
    return gpu;
  }

  stats(): Stats {
    const { module, tensors } = this.#core;
    const { bytes: inTensors, heapBytes } = unwrap(module.stats());
    const sessions = [...this.#decoders, ...this.#runs];
    const inSessions = sessions.reduce((sum, session) => sum + session.bytes, 0);
    return { handles: tensors.size + sessions.length, bytes: inTensors + inSessions, heapBytes };
  }

  dispose(): void {
    for (const decoder of this.#decoders) void decoder.dispose();
    for (const run of this.#runs) void run.dispose();
    for (const gpu of this.#gpus) gpu.dispose();
    this.#core.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** What was made while this instance was being disposed is disposed too. */
  async #orDispose(dispose: () => void | Promise<void>): Promise<void> {
    try {
      void this.#core.module;
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  #product(a: ArrayInput, b: ArrayInput): NdArray {
    const result = this.#core.matmul(a, b);
    if (!isTensor(result)) return result;
    try {
      return result.read();
    } finally {
      result.dispose();
    }
  }
}

function isTensor(value: unknown): value is Tensor {
  return typeof value === 'object' && value !== null && 'read' in value;
}

/**
 * Starts an instance of the core with memory of its own. Safe to call more than once and at the same time.
 * Throws LookbackError 'environment' where WebAssembly or its SIMD is missing.
 */
export async function createLookback(options: CreateOptions = {}): Promise<Lookback> {
  const { build } = options;
  if (build !== undefined && build !== 'baseline' && build !== 'relaxed') {
    throw new LookbackError('value', `createLookback: build must be 'baseline' or 'relaxed', got '${String(build)}'`);
  }
  const best = chooseBuild();
  if (build === 'relaxed' && best !== 'relaxed') throw new LookbackError('environment', 'createLookback: relaxed SIMD is not to be had here');
  const chosen = build ?? best;
  return new Instance(new Core(chosen, await loadModule(chosen)));
}
