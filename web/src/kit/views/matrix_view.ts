// SPDX-License-Identifier: MIT
// A grid of shown numbers with labels: colour by size, digits in the cell, one tab stop, every cell named.
// Columns may come in groups, so that steps of a calculation stand side by side in one row each.
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Rows } from '../nd.js';
import { cssValues } from './css_values.js';
import { gridKeys, keepTabStop } from './grid_keys.js';
import { cellText, shade, signedLimit, valueKind, type ValueKind } from './value_cell.js';

export type KindWords = Readonly<Partial<Record<ValueKind, string>>>;

export interface ColumnGroup {
  /** Plain name for screen readers: "weights". */
  name: string;
  /** Shown above the group. */
  head?: unknown;
  rows: Rows;
  columnLabels?: readonly string[];
  columnHeads?: readonly unknown[];
  /** 'weight' is full at 1, 'signed' at the largest size shown, 'none' has no colour. Default 'signed'. */
  scale?: 'weight' | 'signed' | 'none';
  /** End of the colour scale, to make several matrices alike. */
  limit?: number;
  isMasked?: (row: number, column: number) => boolean;
  /** Stable handles for scripts: data-name and data-index on each cell. */
  dataName?: string;
  digits?: number;
}

export interface GridOptions {
  name: string;
  groups: readonly ColumnGroup[];
  /** Plain labels, used in names; `rowHeads` are what is shown (default: the same). */
  rowLabels?: readonly string[];
  rowHeads?: readonly unknown[];
  kindWords: KindWords;
  chosenRow?: number;
  /** Makes rows choosable by click, Enter and Space. */
  onChooseRow?: (row: number) => void;
}

export interface MatrixOptions extends Omit<ColumnGroup, 'head'>, Omit<GridOptions, 'groups' | 'name'> {
  /** In front of the matrix. */
  symbol?: unknown;
}

function limitOf({ scale, limit, rows }: ColumnGroup): number {
  return limit ?? (scale === 'weight' ? 1 : signedLimit(rows.flat()));
}

interface Cell {
  group: ColumnGroup;
  row: number;
  column: number;
  rowLabel: string;
  kindWord: KindWords;
  isTabStop: boolean;
  isGroupStart: boolean;
}

function cellView({ group, row, column, rowLabel, kindWord, isTabStop, isGroupStart }: Cell): TemplateResult {
  const { name, rows, scale = 'signed', isMasked, dataName, digits = 3, columnLabels } = group;
  const value = rows[row]![column]!;
  const kind = valueKind(value, isMasked?.(row, column));
  const place = [rowLabel, columnLabels?.[column]].filter(Boolean).join(', ');
  const { text, label } = cellText(name, place, value, kindWord[kind] ?? '', digits);
  return html`<td
    class="cell"
    role="gridcell"
    data-cell
    tabindex=${isTabStop ? 0 : -1}
    part=${dataName ? `value ${dataName}` : 'value'}
    data-kind=${kind}
    data-sign=${scale !== 'none' && value < 0 ? '-' : nothing}
    ?data-start=${isGroupStart}
    data-name=${dataName ?? nothing}
    data-index=${dataName ? row * rows[0]!.length + column : nothing}
    data-value=${value}
    aria-label=${label}
    ${cssValues({ '--v': scale === 'none' ? 0 : shade(value, limitOf(group)).toFixed(3) })}
  >${text}</td>`;
}

function bodyRow(options: GridOptions, row: number): TemplateResult {
  const { groups, rowLabels, rowHeads = rowLabels, chosenRow, onChooseRow, kindWords } = options;
  const isChosen = chosenRow === row;
  const cells = groups.flatMap((group, index) =>
    group.rows[row]!.map((_, column) =>
      cellView({
        group, row, column, rowLabel: rowLabels?.[row] ?? '', kindWord: kindWords,
        isTabStop: row === 0 && column === 0 && index === 0,
        isGroupStart: index > 0 && column === 0,
      }),
    ),
  );
  return html`<tr data-row=${row} ?data-chosen=${isChosen} aria-selected=${onChooseRow ? isChosen : nothing}>
    ${rowHeads ? html`<th scope="row">${rowHeads[row]}</th>` : nothing}${cells}
  </tr>`;
}

function headRows({ groups, rowHeads, rowLabels }: GridOptions): TemplateResult {
  const corner = rowHeads ?? rowLabels ? html`<td></td>` : nothing;
  const groupHeads = groups.map(({ head, rows }, index) => html`<th scope="colgroup" colspan=${rows[0]!.length} ?data-start=${index > 0}>${head}</th>`);
  const columnHeads = groups.flatMap(({ rows, columnLabels, columnHeads: heads = columnLabels }) => rows[0]!.map((_, column) => html`<th scope="col">${heads?.[column]}</th>`));
  const hasColumnHeads = groups.some((group) => group.columnHeads ?? group.columnLabels);
  return html`<thead>
    ${groups.some((group) => group.head !== undefined) ? html`<tr>${corner}${groupHeads}</tr>` : nothing}
    ${hasColumnHeads ? html`<tr>${corner}${columnHeads}</tr>` : nothing}
  </thead>`;
}

function choose(event: Event, options: GridOptions): void {
  const row = (event.target as Element).closest('[data-row]')?.getAttribute('data-row');
  if (row != null) options.onChooseRow?.(Number(row));
}

function press(event: KeyboardEvent, options: GridOptions): void {
  if (options.onChooseRow && (event.key === 'Enter' || event.key === ' ')) {
    event.preventDefault();
    choose(event, options);
  } else gridKeys(event);
}

export function gridView(options: GridOptions): TemplateResult {
  const { name, groups } = options;
  const rows = groups[0]!.rows.length;
  const columns = groups.reduce((sum, group) => sum + (group.rows[0]?.length ?? 0), 0);
  // A grid of another size is a new grid: its tab stop starts at the first cell again.
  return html`${keyed(
    `${rows}x${columns}`,
    html`<table class="grid" role="grid" aria-label=${name} data-columns=${columns} ?data-choosable=${options.onChooseRow !== undefined}
      @keydown=${(event: KeyboardEvent) => press(event, options)} @focusin=${keepTabStop} @click=${(event: Event) => choose(event, options)}>
      ${headRows(options)}
      <tbody>${groups[0]!.rows.map((_, row) => bodyRow(options, row))}</tbody>
    </table>`,
  )}`;
}

export function matrixView({ symbol, rowLabels, rowHeads, kindWords, chosenRow, onChooseRow, ...group }: MatrixOptions): TemplateResult {
  const grid = gridView({ name: group.name, groups: [group], kindWords, rowLabels, rowHeads, chosenRow, onChooseRow });
  return html`<div class="matrix" part="matrix">${symbol === undefined ? nothing : html`<span class="symbol">${symbol} =</span>`}${grid}</div>`;
}
