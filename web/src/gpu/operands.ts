// SPDX-License-Identifier: MIT
// Turns what callers give as a matrix into numbers with a shape, and pairs two of them into one batched product.
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

/** A copy of the numbers, since the caller may change his while the product waits; undefined when they make no array. */
export function snapshot(input: ArrayInput): NdArray | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  if (Array.isArray(input)) return flatten(input);
  if ('read' in input) return input.read();
  const { data, shape } = input as NdArray;
  if (!(data instanceof Float32Array) || !Array.isArray(shape)) return undefined;
  return count(shape) === data.length ? { data: data.slice(), shape: [...shape] } : undefined;
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
    batch: count(outer), m, n, k,
    aStride: aBatch.length > 0 ? m * k : 0,
    bStride: bBatch.length > 0 ? k * n : 0,
    shape: [...outer, m, n],
  };
}

function flatten(nested: readonly unknown[]): NdArray | undefined {
  const shape: number[] = [];
  for (let level: unknown = nested; Array.isArray(level); level = level[0]) shape.push(level.length);
  const numbers: number[] = [];
  const walk = (value: unknown, depth: number): boolean => {
    if (depth === shape.length) return typeof value === 'number' && numbers.push(value) > 0;
    return Array.isArray(value) && value.length === shape[depth] && value.every((item) => walk(item, depth + 1));
  };
  return walk(nested, 0) ? { data: Float32Array.from(numbers), shape } : undefined;
}

function count(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}
