// SPDX-License-Identifier: MIT
// From what callers give as arrays to numbers with a shape; every complaint names the argument.
import { LookbackError } from './errors.js';
import type { NdArray } from './types.js';

function describe(value: unknown): string {
  if (typeof value === 'string') return `the text '${value}'`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value === null ? 'null' : typeof value === 'object' ? 'an object' : String(value);
}

function shapeOf(nested: unknown): number[] {
  const shape: number[] = [];
  for (let level = nested; Array.isArray(level); level = level[0]) shape.push(level.length);
  return shape;
}

function fill(name: string, nested: unknown, shape: readonly number[], depth: number, output: number[]): void {
  if (depth === shape.length) {
    if (typeof nested === 'boolean') output.push(nested ? 1 : 0);
    else if (typeof nested === 'number') output.push(nested);
    else if (Array.isArray(nested)) throw new LookbackError('shape', `${name}: a list stands where a number should, after shape [${shape.join(', ')}]`);
    else throw new LookbackError('value', `${name}: needs numbers, found ${describe(nested)}`);
    return;
  }
  if (!Array.isArray(nested)) throw new LookbackError('shape', `${name}: ${describe(nested)} stands beside lists of ${shape[depth]}`);
  if (nested.length !== shape[depth]) {
    throw new LookbackError('shape', `${name}: lists of ${shape[depth]} and ${nested.length} on the same level`);
  }
  for (const item of nested) fill(name, item, shape, depth + 1, output);
}

export function product(shape: readonly number[]): number {
  return shape.reduce((total, extent) => total * extent, 1);
}

export function checkShape(name: string, shape: unknown, length: number): readonly number[] {
  if (!Array.isArray(shape) || !shape.every((extent) => Number.isInteger(extent) && extent >= 0)) {
    throw new LookbackError('shape', `${name}: a shape is a list of whole numbers of 0 or more, found ${Array.isArray(shape) ? `[${shape.join(', ')}]` : describe(shape)}`);
  }
  if (product(shape) !== length) {
    throw new LookbackError('shape', `${name}: shape [${shape.join(', ')}] holds ${product(shape)} numbers, got ${length}`);
  }
  return shape;
}

/** Nested lists, a number, or {data, shape}, as an NdArray of its own. */
export function toNdArray(name: string, value: unknown): NdArray {
  if (typeof value === 'object' && value !== null && 'data' in value && 'shape' in value) {
    const { data, shape } = value as { data: ArrayLike<number>; shape: unknown };
    if (!ArrayBuffer.isView(data) && !Array.isArray(data)) throw new LookbackError('value', `${name}: data must be a typed array, found ${describe(data)}`);
    return { data: toFloats(name, data as ArrayLike<number>), shape: checkShape(name, shape, data.length) };
  }
  if (ArrayBuffer.isView(value)) return { data: toFloats(name, value as unknown as ArrayLike<number>), shape: [(value as unknown as ArrayLike<number>).length] };
  const shape = shapeOf(value);
  const numbers: number[] = [];
  fill(name, value, shape, 0, numbers);
  return { data: Float32Array.from(numbers), shape };
}

export function toFloats(name: string, data: ArrayLike<number>): Float32Array {
  if (data instanceof Float32Array) return data;
  const numbers: number[] = [];
  fill(name, Array.from(data), [data.length], 0, numbers);
  return Float32Array.from(numbers);
}

export function checkNumber(name: string, value: unknown): number {
  if (typeof value !== 'number' || Number.isNaN(value)) throw new LookbackError('value', `${name}: needs a number, found ${describe(value)}`);
  return value;
}

export function checkInteger(name: string, value: unknown, least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new LookbackError('value', `${name}: needs a whole number, found ${describe(value)}`);
  if (value < least || value > most) {
    const rule = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of ${least} or more`;
    throw new LookbackError('range', `${name}: needs a whole number ${rule}, got ${value}`);
  }
  return value;
}

/** A seed of 64 bits as two numbers of 32. */
export function seedHalves(name: string, seed: unknown): { seedLow: number; seedHigh: number } {
  if (typeof seed !== 'bigint' && !Number.isSafeInteger(seed)) {
    throw new LookbackError('value', `${name} must be a whole number up to 2^53 or a bigint, got ${describe(seed)}`);
  }
  const bits = BigInt.asUintN(64, BigInt(seed as number | bigint));
  return { seedLow: Number(bits & 0xffffffffn), seedHigh: Number(bits >> 32n) };
}

export function toIntegers(name: string, values: unknown): number[] {
  const list: unknown[] | undefined = Array.isArray(values) ? values : ArrayBuffer.isView(values) ? Array.from(values as unknown as ArrayLike<number>) : undefined;
  if (!list) throw new LookbackError('value', `${name}: needs a list of whole numbers, found ${describe(values)}`);
  return list.map((value, index) => checkInteger(`${name}[${index}]`, value));
}

/** Token ids; what is no 32-bit id is refused before it can wrap around. */
export function toIds(name: string, values: unknown): Int32Array {
  return Int32Array.from(toIntegers(name, values).map((id, index) => {
    if (id < 0 || id > 0x7fffffff) throw new LookbackError('range', `${name}[${index}]: no token has the id ${id}`);
    return id;
  }));
}
