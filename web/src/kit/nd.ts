// SPDX-License-Identifier: MIT
// Reading the engine's arrays for display: slices and shapes, no arithmetic.
import type { NdArray } from '../engine/types.js';

export type Rows = readonly (readonly number[])[];

export function vectorOf(array: NdArray): number[] {
  return Array.from(array.data);
}

/** The last two axes of an array, at the given index of the axes before them. */
export function rowsOf(array: NdArray, index = 0): number[][] {
  const columns = array.shape.at(-1) ?? 1;
  const rows = array.shape.at(-2) ?? 1;
  const start = index * rows * columns;
  return Array.from({ length: rows }, (_, row) => Array.from(array.data.subarray(start + row * columns, start + (row + 1) * columns)));
}

/** Index of the largest number; the lowest index on a tie, -1 for none. */
export function largestIndex(values: readonly number[]): number {
  return values.reduce((best, value, index) => (best < 0 || value > values[best]! ? index : best), -1);
}
