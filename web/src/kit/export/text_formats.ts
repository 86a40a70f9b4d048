// SPDX-License-Identifier: MIT
// The numbers of a figure as CSV and JSON.
import type { NamedArray } from '../figure_data.js';
import { fullNumber } from '../number_text.js';

// A leading "=", "+", "-" or "@" of a text cell would be run as a formula by spreadsheets.
function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** One number a line: array, row, column, value. Indices count from 0. */
export function toCsv(arrays: readonly NamedArray[]): string {
  const lines = ['array,row,column,row_label,column_label,value'];
  for (const array of arrays) {
    array.rows.forEach((row, r) =>
      row.forEach((value, c) => {
        const labels = [array.rowLabels?.[r] ?? '', array.columnLabels?.[c] ?? ''].map(csvText);
        lines.push([csvText(array.name), r, c, ...labels, fullNumber(value).replace('∞', 'Infinity')].join(','));
      }),
    );
  }
  return `${lines.join('\r\n')}\r\n`;
}

// JSON has no word for these three; a null would lose which one it was.
function jsonNumber(value: number): number | string {
  return Number.isFinite(value) ? Number(fullNumber(value)) : String(value);
}

export function toJson(tag: string, state: Readonly<Record<string, unknown>>, arrays: readonly NamedArray[]): string {
  const tables = arrays.map(({ name, rows, rowLabels, columnLabels }) => ({ name, rowLabels, columnLabels, rows: rows.map((row) => row.map(jsonNumber)) }));
  return `${JSON.stringify({ figure: tag, state, arrays: tables }, null, 2)}\n`;
}
