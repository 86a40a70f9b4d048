// SPDX-License-Identifier: MIT
// One wasm instance with the tensors that live in it: what all synchronous functions share.
import { toNdArray } from './arrays.js';
import { LookbackError } from './errors.js';
import { type Build, type RawFunction, type RawInput, type RawModule, type RawTensor, unwrap } from './module.js';
import type { ArrayInput, MatmulOptions, NdArray, Tensor } from './types.js';

/** A trap: most often memory that could not be had for the arrays on their way in or out. */
function stopped(name: string, cause: unknown): LookbackError {
  return new LookbackError('state', `${name}: the core stopped: ${cause instanceof Error ? cause.message : cause}`, { cause });
}

class ResidentTensor implements Tensor {
  readonly #core: Core;
  #raw: RawTensor | undefined;
  #shape: readonly number[] | undefined;

  constructor(core: Core, raw: RawTensor) {
    this.#core = core;
    this.#raw = raw;
    core.tensors.add(this);
  }

  /** Asked of the core when first wanted: products in a chain never want it. */
  get shape(): readonly number[] {
    return (this.#shape ??= this.#core.shapeOf(this.raw(this.#core)));
  }

  raw(core: Core): RawTensor {
    if (core !== this.#core) throw new LookbackError('state', 'tensor: it belongs to another instance of Lookback');
    if (this.#raw === undefined) throw new LookbackError('disposed', 'tensor: this tensor was disposed');
    return this.#raw;
  }

  read(): NdArray {
    return unwrap(this.#core.module.readTensor(this.raw(this.#core)));
  }

  dispose(): void {
    if (this.#raw === undefined) return;
    this.#core.module._lookback_release(this.#raw);
    this.#raw = undefined;
    this.#core.tensors.delete(this);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

export class Core {
  readonly build: Build;
  readonly tensors = new Set<Tensor>();
  #module: RawModule | undefined;

  constructor(build: Build, module: RawModule) {
    this.build = build;
    this.#module = module;
  }

  get module(): RawModule {
    if (!this.#module) throw new LookbackError('disposed', 'lookback: this instance was disposed');
    return this.#module;
  }

  /** Calls a function of the table with one object of options; undefined fields are left out. */
  call<T>(name: RawFunction, options: Record<string, unknown>): T {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    try {
      return unwrap(this.module[name](given)) as T;
    } catch (cause) {
      if (cause instanceof LookbackError) throw cause;
      throw stopped(name, cause);
    }
  }

  input(name: string, value: ArrayInput | undefined): RawInput {
    if (value === undefined) throw new LookbackError('value', `${name} is missing`);
    if (value instanceof ResidentTensor) return value.raw(this);
    return toNdArray(name, value);
  }

  optional(name: string, value: unknown): RawInput | undefined {
    return value === undefined || value === null ? undefined : this.input(name, value as ArrayInput);
  }

  tensor(array: NdArray): Tensor {
    return new ResidentTensor(this, unwrap(this.module.makeTensor(array)));
  }

  isResident(value: unknown): boolean {
    return value instanceof ResidentTensor;
  }

  /** The tensor that the core keeps under this number. */
  adopt(raw: RawTensor): Tensor {
    return new ResidentTensor(this, raw);
  }

  shapeOf(raw: RawTensor): readonly number[] {
    const { _lookback_rank: rank, _lookback_extent: extent } = this.module;
    return Object.freeze(Array.from({ length: rank(raw) }, (_, axis) => extent(raw, axis)));
  }

  /** Arrays become tensors for as long as the product takes. */
  matmul(a: ArrayInput, b: ArrayInput, options: MatmulOptions = {}): NdArray | Tensor {
    const made: ResidentTensor[] = [];
    const resident = (name: string, input: ArrayInput): ResidentTensor => {
      if (input instanceof ResidentTensor) return input;
      if (input === undefined) throw new LookbackError('value', `${name} is missing`);
      made.push(new ResidentTensor(this, unwrap(this.module.makeTensor(toNdArray(name, input)))));
      return made[made.length - 1]!;
    };
    try {
      const product = this.#product(resident('matmul: a', a), resident('matmul: b', b), options);
      if (made.length < 2) return product;
      made.push(product);
      return product.read();
    } finally {
      for (const tensor of made) tensor.dispose();
    }
  }

  #product(a: ResidentTensor, b: ResidentTensor, { transposeA = false, transposeB = false }: MatmulOptions): ResidentTensor {
    const { module } = this;
    let raw: RawTensor;
    try {
      raw = module._lookback_matmul(a.raw(this), b.raw(this), Number(transposeA), Number(transposeB));
    } catch (cause) {
      throw cause instanceof LookbackError ? cause : stopped('matmul', cause);
    }
    if (raw < 0) unwrap(module.lastError());
    return new ResidentTensor(this, raw);
  }

  dispose(): void {
    for (const tensor of this.tensors) tensor.dispose();
    this.#module = undefined;
  }
}
