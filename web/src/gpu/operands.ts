// SPDX-License-Identifier: MIT
// Turns what callers give as a matrix into numbers with a shape, and pairs two of them into one batched product.
import { product, toNdArray } from '../engine/arrays.js';
import type { ArrayInput, NdArray } from '../engine/types.js';

/** C [batch, m, n] = A [batch, m, k] B [batch, k, n]; a stride of 0 uses one matrix for the whole batch. */
export interface Product {
  batch: number;
  m: number;
  n: number;
  k: number;
  /** elements from one matrix to the next */
  aStride: number;
  bStride: number;
  /** of the result */
  shape: number[];
}

/** A copy of the numbers, since the caller may change his while the product waits. Throws what the engine throws for bad arrays. */
export function snapshot(name: string, input: ArrayInput): NdArray {
  if (typeof input === 'object' && input !== null && 'read' in input) return input.read();
  const { data, shape } = toNdArray(name, input);
  return { data: data.slice(), shape: [...shape] };
}

/** Undefined for shapes this path does not take: the wasm product then answers, or names what is wrong with them. */
export function pair(a: readonly number[], b: readonly number[]): Product | undefined {
  if (a.length < 2 || b.length < 2) return undefined;
  const [m, k] = a.slice(-2) as [number, number];
  const [bRows, n] = b.slice(-2) as [number, number];
  if (k !== bRows) return undefined;
  const aBatch = a.slice(0, -2);
  const bBatch = b.slice(0, -2);
  const same = aBatch.join() === bBatch.join();
  if (!same && aBatch.length > 0 && bBatch.length > 0) return undefined;
  const outer = aBatch.length > 0 ? aBatch : bBatch;
  return {
    batch: product(outer), m, n, k,
    aStride: aBatch.length > 0 ? m * k : 0,
    bStride: bBatch.length > 0 ? k * n : 0,
    shape: [...outer, m, n],
  };
}
