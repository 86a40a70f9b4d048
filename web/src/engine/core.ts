// SPDX-License-Identifier: MIT
// One wasm instance with the tensors that live in it: what all synchronous functions share.
import { toNdArray } from './arrays.js';
import { LookbackError } from './errors.js';
import { type Build, type RawFunction, type RawHandle, type RawInput, type RawModule, unwrap } from './module.js';
import type { ArrayInput, NdArray, Tensor } from './types.js';

class ResidentTensor implements Tensor {
  readonly shape: readonly number[];
  readonly #core: Core;
  #raw: RawHandle | undefined;

  constructor(core: Core, raw: RawHandle, shape: readonly number[]) {
    this.#core = core;
    this.#raw = raw;
    this.shape = Object.freeze([...shape]);
    core.tensors.add(this);
  }

  raw(core: Core): RawHandle {
    if (core !== this.#core) throw new LookbackError('state', 'tensor: it belongs to another instance of Lookback');
    if (!this.#raw) throw new LookbackError('disposed', `tensor: this tensor of shape [${this.shape.join(', ')}] was disposed`);
    return this.#raw;
  }

  read(): NdArray {
    return unwrap(this.#core.module.readTensor(this.raw(this.#core)));
  }

  dispose(): void {
    this.#raw?.delete();
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
      // A trap: most often memory that could not be had for the arrays on their way in or out.
      throw new LookbackError('state', `${name}: the core stopped: ${cause instanceof Error ? cause.message : cause}`, { cause });
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
    const { tensor, shape } = unwrap(this.module.makeTensor(array));
    return new ResidentTensor(this, tensor, shape);
  }

  matmul(a: ArrayInput, b: ArrayInput): NdArray | Tensor {
    const { tensor, shape } = unwrap(this.module.matmul(this.input('matmul: a', a), this.input('matmul: b', b)));
    const isResident = a instanceof ResidentTensor || b instanceof ResidentTensor;
    if (isResident) return new ResidentTensor(this, tensor, shape);
    try {
      return unwrap(this.module.readTensor(tensor));
    } finally {
      tensor.delete();
    }
  }

  dispose(): void {
    for (const tensor of this.tensors) tensor.dispose();
    this.#module = undefined;
  }
}
