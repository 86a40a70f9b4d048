// SPDX-License-Identifier: MIT
// A grid of numbers to type into. A vector is a matrix of one row.
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { CellEditor } from '../cell_editor.js';
import type { Rows } from '../nd.js';
import { keepTabStop } from './grid_keys.js';
import { numberInput } from './number_input.js';

export interface MatrixInputOptions {
  /** Plain name for screen readers and messages: "W_a". */
  name: string;
  symbol?: unknown;
  rows: Rows;
  rowLabels?: readonly string[];
  columnLabels?: readonly string[];
  rowHeads?: readonly unknown[];
  columnHeads?: readonly unknown[];
  editor: CellEditor;
  /** Said with the grid: how its keys work. */
  hint: string;
  dataName?: string;
  /** Something after each row, such as a toggle. */
  rowTail?: (row: number) => unknown;
}

function inputCell(options: MatrixInputOptions, row: number, column: number): TemplateResult {
  const { name, rows, rowLabels, columnLabels, editor, dataName } = options;
  const index = row * rows[0]!.length + column;
  const place = [rowLabels?.[row], columnLabels?.[column] ?? String(column + 1)].filter(Boolean).join(', ');
  const input = numberInput({
    label: `${name}, ${place}`,
    value: rows[row]![column]!,
    isRefused: editor.isRefused(row, column),
    onNumber: (value) => editor.set(row, column, value),
    onRefuse: (parsed) => editor.refuse(row, column, parsed),
    tabStop: index === 0,
    ...(dataName ? { dataName, dataIndex: index } : {}),
  });
  return html`<td role="gridcell" class="input-cell">${input}</td>`;
}

function inputRow(options: MatrixInputOptions, row: number, head: unknown): TemplateResult {
  return html`<tr>
    ${head === undefined ? nothing : html`<th scope="row">${head}</th>`}
    ${options.rows[row]!.map((_, column) => inputCell(options, row, column))}
    ${options.rowTail ? html`<td role="gridcell" class="tail">${options.rowTail(row)}</td>` : nothing}
  </tr>`;
}

export function matrixInput(options: MatrixInputOptions): TemplateResult {
  const { name, symbol, rows, hint } = options;
  const rowHeads = options.rowHeads ?? options.rowLabels;
  const columnHeads = options.columnHeads ?? options.columnLabels;
  const columns = rows[0]?.length ?? 0;
  return html`<div class="matrix">
    ${symbol === undefined ? nothing : html`<span class="symbol">${symbol} =</span>`}
    ${keyed(
      `${rows.length}x${columns}`,
      html`<table class="grid inputs-grid" role="grid" aria-label=${name} aria-description=${hint} data-columns=${columns} @focusin=${keepTabStop}>
        ${columnHeads ? html`<thead><tr>${rowHeads ? html`<td></td>` : nothing}${columnHeads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>` : nothing}
        <tbody>${rows.map((_, row) => inputRow(options, row, rowHeads?.[row]))}</tbody>
      </table>`,
    )}
  </div>`;
}
