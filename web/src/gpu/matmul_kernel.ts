// SPDX-License-Identifier: MIT
// One compiled matrix product on one device; every call owns its buffers and frees them.
import { messageOf } from './device.js';
import type { Product } from './operands.js';

/** Edge of the tile of C that one workgroup of matmul.wgsl computes. */
const tileEdge = 64;
const bytesPerFloat = 4;
/** The standard's own numbers; TypeScript's DOM library declares no values for them. */
const usage = { mapRead: 0x1, copySrc: 0x4, copyDst: 0x8, uniform: 0x40, storage: 0x80 } as const;
const mapModeRead = 0x1;

export class MatmulKernel {
  readonly #device: GPUDevice;
  readonly #pipeline: GPUComputePipeline;

  private constructor(device: GPUDevice, pipeline: GPUComputePipeline) {
    this.#device = device;
    this.#pipeline = pipeline;
  }

  /** Throws with the compiler's lines when the shader is wrong. */
  static async compile(device: GPUDevice, source: string): Promise<MatmulKernel> {
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code: source, label: 'lookback matmul' });
    const scope = device.popErrorScope();
    const { messages } = await module.getCompilationInfo();
    const errors = messages.filter((message) => message.type === 'error');
    const invalid = await scope;
    if (errors.length > 0) throw new Error(errors.map(({ lineNum, linePos, message }) => `line ${lineNum}:${linePos} ${message}`).join('; '));
    if (invalid) throw new Error(invalid.message);
    const pipeline = await device.createComputePipelineAsync({
      label: 'lookback matmul',
      layout: 'auto',
      compute: { module, entryPoint: 'main' },
    });
    return new MatmulKernel(device, pipeline);
  }

  /** Why this product does not fit the device's limits; undefined when it does. */
  refusal(product: Product): string | undefined {
    const { maxStorageBufferBindingSize, maxBufferSize, maxComputeWorkgroupsPerDimension } = this.#device.limits;
    const most = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    const { batch, m, n, k, aStride, bStride } = product;
    const largest = bytesPerFloat * Math.max(aStride ? batch * m * k : m * k, bStride ? batch * k * n : k * n, batch * m * n);
    if (largest > most) return `${largest} bytes exceed the device's ${most} bytes for one buffer`;
    const tiles = Math.ceil(m / tileEdge) * Math.ceil(n / tileEdge) * batch;
    return tiles > maxComputeWorkgroupsPerDimension ** 2 ? `${tiles} tiles exceed one dispatch` : undefined;
  }

  /** Throws when anything on the way was invalid, ran out of memory or lost the device: never an earlier result. */
  async run(a: Float32Array, b: Float32Array, product: Product): Promise<Float32Array> {
    const device = this.#device;
    const buffers: GPUBuffer[] = [];
    const make = (size: number, usage: GPUBufferUsageFlags): GPUBuffer => {
      const buffer = device.createBuffer({ size, usage });
      buffers.push(buffer);
      return buffer;
    };
    try {
      for (const filter of scopes) device.pushErrorScope(filter);
      let staging: GPUBuffer;
      let thrown: unknown;
      try {
        staging = this.#submit(a, b, product, make);
      } catch (error) {
        thrown = error;
      }
      // Scopes are a stack of the device: all are popped before anything is awaited.
      const outcomes = scopes.map(() => device.popErrorScope());
      if (thrown !== undefined) throw thrown;
      const mapped = staging!.mapAsync(mapModeRead).then(() => undefined, (error: unknown) => new Error(messageOf(error)));
      const problems = await Promise.all([...outcomes, mapped]);
      const problem = problems.find((one) => one);
      if (problem) throw new Error(problem.message);
      return new Float32Array(staging!.getMappedRange().slice(0));
    } finally {
      for (const buffer of buffers) buffer.destroy();
    }
  }

  #submit(a: Float32Array, b: Float32Array, product: Product, make: (size: number, usage: GPUBufferUsageFlags) => GPUBuffer): GPUBuffer {
    const device = this.#device;
    const { batch, m, n, k, aStride, bStride } = product;
    const tilesM = Math.ceil(m / tileEdge);
    const tilesN = Math.ceil(n / tileEdge);
    const resultBytes = batch * m * n * bytesPerFloat;
    const input = usage.storage | usage.copyDst;
    const sizes = make(32, usage.uniform | usage.copyDst);
    const left = make(a.byteLength, input);
    const right = make(b.byteLength, input);
    const result = make(resultBytes, usage.storage | usage.copySrc);
    const staging = make(resultBytes, usage.mapRead | usage.copyDst);
    device.queue.writeBuffer(sizes, 0, Uint32Array.of(m, n, k, batch, aStride, bStride, tilesM, tilesN));
    device.queue.writeBuffer(left, 0, a as Float32Array<ArrayBuffer>);
    device.queue.writeBuffer(right, 0, b as Float32Array<ArrayBuffer>);
    const bindings = device.createBindGroup({
      layout: this.#pipeline.getBindGroupLayout(0),
      entries: [sizes, left, right, result].map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.#pipeline);
    pass.setBindGroup(0, bindings);
    const tiles = tilesM * tilesN * batch;
    const columns = Math.min(tiles, device.limits.maxComputeWorkgroupsPerDimension);
    pass.dispatchWorkgroups(columns, Math.ceil(tiles / columns));
    pass.end();
    encoder.copyBufferToBuffer(result, 0, staging, 0, resultBytes);
    device.queue.submit([encoder.finish()]);
    return staging;
  }
}

const scopes: readonly GPUErrorFilter[] = ['validation', 'out-of-memory', 'internal'];
