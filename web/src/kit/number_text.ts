// SPDX-License-Identifier: MIT
// Numbers as people read and type them.

/** Largest size a field accepts: beyond it an f32 holds fewer digits than the page shows. */
export const kLargestNumber = 1e6;

export type NumberProblem = 'empty' | 'not_a_number' | 'too_large' | 'below' | 'above' | 'not_whole';

export type ParsedNumber = { ok: true; value: number } | { ok: false; problem: NumberProblem; text: string; limit?: number };

export interface NumberLimits {
  min?: number;
  max?: number;
  whole?: boolean;
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Reads a decimal number; a comma may stand for the point, and U+2212 for the minus sign. */
export function parseNumber(text: string, limits: NumberLimits = {}): ParsedNumber {
  const shown = text.trim();
  if (shown === '') return { ok: false, problem: 'empty', text: shown };
  const plain = shown.replace(/\u2212/g, '-').replace(/^([^,.]*),([^,.]*)$/, '$1.$2');
  if (!numberPattern.test(plain)) return { ok: false, problem: 'not_a_number', text: shown };
  return checkNumber(Number(plain), limits, shown);
}

export function checkNumber(value: unknown, limits: NumberLimits = {}, text = String(value)): ParsedNumber {
  if (typeof value !== 'number' || Number.isNaN(value)) return { ok: false, problem: 'not_a_number', text };
  if (!(Math.abs(value) <= kLargestNumber)) return { ok: false, problem: 'too_large', text, limit: kLargestNumber };
  if (limits.min !== undefined && value < limits.min) return { ok: false, problem: 'below', text, limit: limits.min };
  if (limits.max !== undefined && value > limits.max) return { ok: false, problem: 'above', text, limit: limits.max };
  if (limits.whole && !Number.isInteger(value)) return { ok: false, problem: 'not_whole', text };
  return { ok: true, value: value === 0 ? 0 : value };
}

/** Text someone may still be typing into a number: "-", "1e", ".". */
export function isUnfinishedNumber(text: string): boolean {
  return /^\s*[+\-\u2212]?(\d*[.,]?\d*)?(e[+-]?)?\s*$/i.test(text) && !parseNumber(text).ok;
}

/** A result with a fixed number of digits. The minus is ASCII so that numbers can be pasted into code; -0 loses its sign. */
export function formatNumber(value: number, digits = 3): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return '∞';
  if (value === -Infinity) return '-∞';
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 0.5 * 10 ** -digits && size < 1e-6)) return value.toExponential(1);
  const text = value.toFixed(digits);
  return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text;
}

/** All the digits an f32 or a typed number carries. */
export function fullNumber(value: number): string {
  if (!Number.isFinite(value)) return formatNumber(value);
  return String(Number(value.toPrecision(9)));
}

/** An input as short as it can be said: 1, -0.5. */
export function inputNumber(value: number): string {
  return String(value === 0 ? 0 : value);
}

/** The next value for an arrow step, free of binary dust such as 0.30000000000000004. */
export function stepNumber(value: number, step: number, limits: NumberLimits = {}): number {
  const next = Number((value + step).toPrecision(12));
  return Math.min(limits.max ?? kLargestNumber, Math.max(limits.min ?? -kLargestNumber, next));
}
