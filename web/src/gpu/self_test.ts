// SPDX-License-Identifier: MIT
// Before the GPU is trusted, it must give the same products as wasm, remainders and batches included.
import { product } from '../engine/arrays.js';
import type { NdArray } from '../engine/types.js';
import type { MatmulKernel } from './matmul_kernel.js';
import { pair } from './operands.js';

type Case = readonly [a: readonly number[], b: readonly number[]];

/** One element; every remainder of the tile of 64 x 64 x 16 at once; exact tiles; one row; a batch; one right side for a batch. */
const cases: readonly Case[] = [
  [[1, 1], [1, 1]],
  [[17, 33], [33, 19]],
  [[65, 31], [31, 67]],
  [[64, 16], [16, 64]],
  [[1, 40], [40, 70]],
  [[3, 5, 7], [3, 7, 4]],
  [[2, 3, 5], [5, 6]],
];

/** Products of numbers below 1: 64 of them added in another order stay within this of each other. */
const tolerance = 1e-5;

/** Why the GPU is not to be trusted; undefined when all answers agree with `matmul`. */
export async function findFault(kernel: MatmulKernel, matmul: (a: NdArray, b: NdArray) => NdArray): Promise<string | undefined> {
  for (const [aShape, bShape] of cases) {
    const a = numbers(aShape, 1);
    const b = numbers(bShape, 2);
    const expected = matmul(a, b).data;
    const actual = await kernel.run(a.data, b.data, pair(aShape, bShape)!);
    const wrong = expected.findIndex((value, i) => !(Math.abs(actual[i]! - value) <= tolerance * Math.max(1, Math.abs(value))));
    if (wrong >= 0 || actual.length !== expected.length) {
      return `[${aShape}] times [${bShape}] gave ${actual[wrong]} where wasm gives ${expected[wrong]} (element ${wrong})`;
    }
  }
  return undefined;
}

/** Distinct numbers in [-0.5, 0.5), the same at every start. */
function numbers(shape: readonly number[], seed: number): NdArray {
  let state = seed * 0x9e3779b9;
  const data = Float32Array.from({ length: product(shape) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  return { data, shape };
}
