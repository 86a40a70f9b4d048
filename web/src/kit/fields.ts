// SPDX-License-Identifier: MIT
// The kinds of state a figure can declare. Each kind checks values and turns them into text and back.
import { checkNumber, inputNumber, parseNumber, type NumberLimits, type NumberProblem } from './number_text.js';

/** Why a value was refused; `where` is the place inside the value, such as row and column. */
export class FieldError extends Error {
  constructor(
    readonly problem: NumberProblem | 'ragged' | 'size' | 'choice' | 'too_long',
    readonly detail: { text?: string; limit?: number | string; row?: number; column?: number } = {},
  ) {
    super(`${problem} ${JSON.stringify(detail)}`);
    this.name = 'FieldError';
  }
}

export interface Field<T> {
  readonly initial: T;
  /** Returns the value, cleaned, or throws FieldError. */
  check(value: unknown): T;
  /** Text of an attribute or of the URL; throws FieldError. */
  parse(text: string): T;
  print(value: T): string;
}

export type Vector = readonly number[];
export type Matrix = readonly Vector[];

type Place = { row?: number; column?: number };

function numberOrThrow(result: ReturnType<typeof parseNumber>, place: Place = {}): number {
  if (result.ok) return result.value;
  throw new FieldError(result.problem, { text: result.text, limit: result.limit, ...place });
}

export function numberField(initial: number, limits: NumberLimits = {}): Field<number> {
  return {
    initial,
    check: (value) => numberOrThrow(checkNumber(value, limits)),
    parse: (text) => numberOrThrow(parseNumber(text, limits)),
    print: inputNumber,
  };
}

export function choiceField<T extends string>(initial: T, choices: readonly T[]): Field<T> {
  const check = (value: unknown): T => {
    if (choices.includes(value as T)) return value as T;
    throw new FieldError('choice', { text: String(value), limit: choices.join(', ') });
  };
  return { initial, check, parse: check, print: (value) => value };
}

export function flagField(initial: boolean): Field<boolean> {
  // A Map: an object would also know `toString`.
  const words = new Map([['', true], ['1', true], ['true', true], ['0', false], ['false', false]]);
  return {
    initial,
    check: Boolean,
    parse: (text) => {
      const value = words.get(text);
      if (value === undefined) throw new FieldError('choice', { text, limit: 'true, false' });
      return value;
    },
    print: (value) => (value ? '1' : '0'),
  };
}

export function textField(initial: string, maxLength = 400): Field<string> {
  const check = (value: unknown): string => {
    const text = String(value);
    if (text.length > maxLength) throw new FieldError('too_long', { limit: maxLength });
    return text;
  };
  return { initial, check, parse: check, print: (value) => value };
}

export interface SizeLimits extends NumberLimits {
  minRows?: number;
  maxRows?: number;
  minColumns?: number;
  maxColumns?: number;
}

function checkSize(count: number, min: number | undefined, max: number | undefined, what: string): void {
  const least = min ?? 1;
  if (count < least || count > (max ?? 64)) throw new FieldError('size', { text: `${count} ${what}`, limit: `${least}-${max ?? 64}` });
}

function checkMatrix(value: unknown, limits: SizeLimits): Matrix {
  if (!Array.isArray(value) || !value.every(Array.isArray)) throw new FieldError('not_a_number', { text: String(value) });
  const rows = value as unknown[][];
  checkSize(rows.length, limits.minRows, limits.maxRows, 'rows');
  const width = rows[0]?.length ?? 0;
  checkSize(width, limits.minColumns, limits.maxColumns, 'columns');
  rows.forEach((row, index) => {
    if (row.length !== width) throw new FieldError('ragged', { row: index + 1, limit: width, text: String(row.length) });
  });
  return rows.map((row, r) => row.map((cell, c) => numberOrThrow(checkNumber(cell, limits), { row: r + 1, column: c + 1 })));
}

/** `[[1, 0], [0, 1]]` or `1 0; 0 1`. */
function splitMatrix(text: string): string[][] {
  const rows = text.trim().startsWith('[[') ? text.trim().slice(1, -1).split(/\]\s*,\s*\[/) : text.split(';');
  return rows.map((row) => splitVector(row));
}

function splitVector(text: string): string[] {
  return text.replace(/[[\]]/g, ' ').trim().split(/\s*,\s*|\s+/);
}

function parseCells(cells: readonly string[], limits: SizeLimits, row?: number): number[] {
  return cells.map((cell, index) => numberOrThrow(parseNumber(cell, limits), { row, column: index + 1 }));
}

export function matrixField(initial: Matrix, limits: SizeLimits = {}): Field<Matrix> {
  return {
    initial,
    check: (value) => checkMatrix(value, limits),
    parse: (text) => checkMatrix(splitMatrix(text).map((row, index) => parseCells(row, limits, index + 1)), limits),
    print: (value) => value.map((row) => row.map(inputNumber).join(' ')).join('; '),
  };
}

export function vectorField(initial: Vector, limits: SizeLimits = {}): Field<Vector> {
  return {
    initial,
    check: (value) => checkMatrix([value], limits)[0]!,
    parse: (text) => checkMatrix([parseCells(splitVector(text), limits)], limits)[0]!,
    print: (value) => value.map(inputNumber).join(' '),
  };
}

/** Yes or no for each of a list, printed as 1 and 0: `101`. An empty list means all yes. */
export function flagsField(initial: readonly boolean[] = [], maxLength = 64): Field<readonly boolean[]> {
  const check = (value: unknown): readonly boolean[] => {
    if (!Array.isArray(value)) throw new FieldError('choice', { text: String(value), limit: '0, 1' });
    checkSize(value.length, 0, maxLength, 'flags');
    return value.map(Boolean);
  };
  return {
    initial,
    check,
    parse: (text) => {
      const plain = text.replace(/[\s,[\]]/g, '').replace(/true/g, '1').replace(/false/g, '0');
      if (!/^[01]*$/.test(plain)) throw new FieldError('choice', { text, limit: '0, 1' });
      return check([...plain].map((flag) => flag === '1'));
    },
    print: (value) => value.map((flag) => (flag ? '1' : '0')).join(''),
  };
}
