// SPDX-License-Identifier: MIT
// Typing into one cell of a vector or matrix: the new value, or the reason for refusing it with its place.
import { FieldError, type Matrix, type Vector } from './fields.js';
import type { ParsedNumber } from './number_text.js';

export interface CellEditor {
  set(row: number, column: number, value: number): void;
  refuse(row: number, column: number, parsed: ParsedNumber & { ok: false }): void;
  isRefused(row: number, column: number): boolean;
}

const isVector = (value: unknown): value is Vector => Array.isArray(value) && typeof value[0] === 'number';

/** A copy of a vector, matrix or number with one number replaced. */
export function withCell(value: unknown, row: number, column: number, cell: number): unknown {
  if (typeof value === 'number') return cell;
  if (isVector(value)) return value.map((old, index) => (index === column ? cell : old));
  return (value as Matrix).map((each, index) => (index === row ? (withCell(each, 0, column, cell) as Vector) : each));
}

export function cellError({ problem, text, limit }: ParsedNumber & { ok: false }, value: unknown, row: number, column: number): FieldError {
  if (typeof value === 'number') return new FieldError(problem, { text, limit });
  return new FieldError(problem, { text, limit, column: column + 1, ...(isVector(value) ? {} : { row: row + 1 }) });
}
