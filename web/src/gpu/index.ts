// SPDX-License-Identifier: MIT
// The matrix product on WebGPU: proved against wasm before use, and answered by wasm whenever the GPU can't be had or trusted.
import { LookbackError } from '../engine/errors.js';
import type { ArrayInput, GpuMatmul, NdArray } from '../engine/types.js';
import { messageOf, openDevice, within } from './device.js';
import { MatmulKernel } from './matmul_kernel.js';
import matmulSource from './matmul.wgsl?raw';
import { pair, snapshot } from './operands.js';
import { findFault } from './self_test.js';

/** What navigator.gpu is, in a form that compiles where TypeScript's library has no WebGPU. */
export interface GpuProvider {
  requestAdapter(options?: { powerPreference?: 'low-power' | 'high-performance' }): Promise<unknown>;
}

export interface GpuMatmulOptions {
  /** The wasm product: the self-test's reference, and the answer whenever the GPU gives none. */
  matmul: (a: ArrayInput, b: ArrayInput) => NdArray;
  /** Default: navigator.gpu. Given and undefined: none. */
  gpu?: GpuProvider | undefined;
  /** WGSL instead of the built-in kernel; the self-test decides whether it is used. */
  shaderSource?: string;
  /** Milliseconds each step of the start may take. Default 10000. */
  timeoutMs?: number;
}

/**
 * Never rejects for want of a GPU: the result then has backend 'wasm' and the reason.
 * A product goes to wasm alone, with the GPU still in use, when it exceeds the device's buffer limits, holds an infinity or
 * NaN (WGSL promises nothing for them), or pairs batches in a way the kernel does not know.
 */
export async function createGpuMatmul(options: GpuMatmulOptions): Promise<GpuMatmul> {
  const { matmul, shaderSource = matmulSource, timeoutMs = 10_000 } = options;
  const gpu = 'gpu' in options ? options.gpu : globalThis.navigator?.gpu;
  const probe = await openDevice(gpu as GPU | undefined, timeoutMs);
  if ('reason' in probe) return new Matmul(matmul, probe.reason);
  const { device, adapter } = probe;
  const giveUp = (reason: string): GpuMatmul => {
    device.destroy();
    return new Matmul(matmul, reason, adapter);
  };
  try {
    const lost = device.lost.then(({ message }) => { throw new Error(`the device was lost${message ? `: ${message}` : ''}`); });
    lost.catch(() => {});
    const orLost = <T>(work: Promise<T>, what: string): Promise<T> => within(Promise.race([work, lost]), timeoutMs, what);
    const kernel = await orLost(MatmulKernel.compile(device, shaderSource), 'the shader compiler');
    const fault = await orLost(findFault(kernel, matmul), 'the self-test');
    if (fault) return giveUp(`WebGPU failed its self-test: ${fault}`);
    return new Matmul(matmul, '', adapter, device, kernel);
  } catch (error) {
    return giveUp(`WebGPU could not start: ${messageOf(error)}`);
  }
}

class Matmul implements GpuMatmul {
  readonly adapter: string;
  readonly #matmul: GpuMatmulOptions['matmul'];
  #reason: string;
  #device: GPUDevice | undefined;
  #kernel: MatmulKernel | undefined;
  #lost: Promise<never> | undefined;
  #disposed = false;
  /** Products run one after the other, which bounds the memory that waiting callers hold on the GPU. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(matmul: GpuMatmulOptions['matmul'], reason: string, adapter = '', device?: GPUDevice, kernel?: MatmulKernel) {
    this.#matmul = matmul;
    this.#reason = reason;
    this.adapter = adapter;
    this.#device = device;
    this.#kernel = kernel;
    if (device) this.#watch(device);
  }

  get backend(): 'wasm' | 'webgpu' {
    return this.#kernel ? 'webgpu' : 'wasm';
  }

  get reason(): string {
    return this.#reason;
  }

  async matmul(a: ArrayInput, b: ArrayInput): Promise<NdArray> {
    this.#checkLive();
    if (!this.#kernel) return this.#matmul(a, b);
    const left = snapshot('matmul: a', a);
    const right = snapshot('matmul: b', b);
    const product = pair(left.shape, right.shape);
    if (!product) return this.#matmul(left, right);
    const { batch, m, n, k, shape } = product;
    if (batch * m * n * k === 0) return { data: new Float32Array(batch * m * n), shape };
    if (this.#kernel.refusal(product) || !left.data.every(Number.isFinite) || !right.data.every(Number.isFinite)) {
      return this.#matmul(left, right);
    }
    const turn = this.#tail.then(async () => {
      const kernel = this.#kernel;
      if (!kernel) return undefined;
      return Promise.race([kernel.run(left.data, right.data, product), this.#lost!]);
    });
    this.#tail = turn.catch(() => {});
    const data = await turn.catch((error: unknown) => this.#stepAside(`WebGPU failed: ${messageOf(error)}`));
    this.#checkLive();
    return data ? { data, shape } : this.#matmul(left, right);
  }

  dispose(): void {
    this.#disposed = true;
    this.#kernel = undefined;
    this.#device?.destroy();
    this.#device = undefined;
  }

  #watch(device: GPUDevice): void {
    this.#lost = device.lost.then(({ message }) => {
      if (!this.#disposed) this.#stepAside(`The WebGPU device was lost${message ? `: ${message}` : ''}`);
      throw new Error('the device was lost');
    });
    this.#lost.catch(() => {});
    // Errors of this device are handled where they happen; without a listener browsers print what escapes a scope.
    device.addEventListener('uncapturederror', (event) => {
      event.preventDefault();
      this.#stepAside(`WebGPU failed: ${event.error.message}`);
    });
  }

  /** From now on wasm answers; the first reason stays. */
  #stepAside(reason: string): undefined {
    if (!this.#kernel) return undefined;
    this.#kernel = undefined;
    this.#reason = reason;
    this.#device?.destroy();
    this.#device = undefined;
    return undefined;
  }

  #checkLive(): void {
    if (this.#disposed) throw new LookbackError('disposed', 'GpuMatmul: used after dispose()');
  }
}
