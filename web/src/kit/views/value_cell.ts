// SPDX-License-Identifier: MIT
// One shown number: its digits, its colour, and whether it is zero, masked or not a number.
import { formatNumber, fullNumber } from '../number_text.js';

export type ValueKind = 'number' | 'zero' | 'masked' | 'nan' | 'infinite';

export function valueKind(value: number, isMasked = false): ValueKind {
  if (isMasked) return 'masked';
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return 'infinite';
  return value === 0 ? 'zero' : 'number';
}

/** Share of the colour, 0 to 1, of a value on a scale that is full at `limit`; presentation only. */
export function shade(value: number, limit: number): number {
  if (!Number.isFinite(value) || !(limit > 0)) return 0;
  return Math.min(1, Math.abs(value) / limit);
}

/** The end of a colour scale for signed values: the largest size among them. */
export function signedLimit(values: readonly number[]): number {
  return values.reduce((limit, value) => (Number.isFinite(value) ? Math.max(limit, Math.abs(value)) : limit), 0) || 1;
}

export interface CellText {
  text: string;
  label: string;
}

/**
 * `kindWord` is the message for masked, zero or not a number; empty for a plain number.
 * The label holds the text as shown, so that it is found by those who see and speak it, and all digits where they say more.
 */
export function cellText(name: string, place: string, value: number, kindWord: string, digits: number): CellText {
  const text = formatNumber(value, digits);
  const full = fullNumber(value);
  const exact = Number(text) === value || full === text ? '' : ` (${full})`;
  const kind = kindWord === '' ? '' : `, ${kindWord}`;
  return { text, label: `${name}${place === '' ? '' : `, ${place}`}: ${text}${exact}${kind}` };
}
