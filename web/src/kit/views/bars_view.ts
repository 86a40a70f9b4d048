// SPDX-License-Identifier: MIT
// Horizontal bars with a label and a number each: weights of a row, the next tokens of a decoder.
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../number_text.js';
import { cssValues } from './css_values.js';
import { cellText, shade, valueKind } from './value_cell.js';
import type { KindWords } from './matrix_view.js';

export interface Bar {
  /** What is shown; `name` is what is said (default: the same). */
  label: unknown;
  name?: string;
  value: number;
  isMasked?: boolean;
  /** Shown paler: dropped by top-k, for instance. */
  isMuted?: boolean;
  isChosen?: boolean;
}

export interface BarsOptions {
  name: string;
  bars: readonly Bar[];
  kindWords: KindWords;
  /** Value of a full bar. Default 1. */
  limit?: number;
  digits?: number;
  dataName?: string;
  onChoose?: (index: number) => void;
}

function barView(options: BarsOptions, bar: Bar, index: number): TemplateResult {
  const { name, kindWords, limit = 1, digits = 3, dataName, onChoose } = options;
  const kind = valueKind(bar.value, bar.isMasked);
  const { label } = cellText(name, bar.name ?? String(bar.label), bar.value, kindWords[kind] ?? '', digits);
  return html`<li class="bar" data-kind=${kind} ?data-muted=${bar.isMuted} ?data-chosen=${bar.isChosen} @click=${onChoose ? () => onChoose(index) : nothing}>
    <span class="bar-label">${onChoose ? html`<button type="button" class="link-button" aria-label=${label}>${bar.label}</button>` : bar.label}</span>
    <span class="bar-track" aria-hidden="true"><span class="bar-fill" ${cssValues({ '--v': shade(bar.value, limit).toFixed(4) })}></span></span>
    <span class="bar-number" part=${dataName ? `value ${dataName}` : 'value'} data-name=${dataName ?? nothing} data-index=${dataName ? index : nothing} data-value=${bar.value} aria-label=${label}
      >${formatNumber(bar.value, digits)}</span>
  </li>`;
}

export function barsView(options: BarsOptions): TemplateResult {
  return html`<ul class="bars" aria-label=${options.name}>${options.bars.map((bar, index) => barView(options, bar, index))}</ul>`;
}
