// SPDX-License-Identifier: MIT
// Every number of a figure as plain tables, for reading without the picture.
import { html, nothing, type TemplateResult } from 'lit';
import type { NamedArray } from '../figure_data.js';
import { fullNumber } from '../number_text.js';

function dataTable({ name, symbol, rows, rowLabels, columnLabels }: NamedArray): TemplateResult {
  return html`<table class="data-table">
    <caption>${symbol} <span class="quiet">${name}, ${rows.length} × ${rows[0]?.length ?? 0}</span></caption>
    ${columnLabels ? html`<thead><tr>${rowLabels ? html`<td></td>` : nothing}${columnLabels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>` : nothing}
    <tbody>
      ${rows.map((row, index) => html`<tr>${rowLabels ? html`<th scope="row">${rowLabels[index]}</th>` : nothing}${row.map((value) => html`<td>${fullNumber(value)}</td>`)}</tr>`)}
    </tbody>
  </table>`;
}

export function dataTables(arrays: readonly NamedArray[], name: string): TemplateResult {
  return html`<div class="data-tables" role="region" aria-label=${name} tabindex="0">${arrays.map(dataTable)}</div>`;
}
