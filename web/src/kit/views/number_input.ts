// SPDX-License-Identifier: MIT
// A text field for one number: typing, arrow steps, refusal with a reason. Alone or as a cell of a grid.
import { html, nothing, type TemplateResult } from 'lit';
import { inputNumber, isUnfinishedNumber, parseNumber, stepNumber, type NumberLimits, type ParsedNumber } from '../number_text.js';
import { fieldText } from './field_text.js';
import { moveAlong, moveBy } from './grid_keys.js';

export interface NumberInputOptions {
  /** What a screen reader says. */
  label: string;
  value: number;
  isRefused: boolean;
  onNumber: (value: number) => void;
  onRefuse: (parsed: ParsedNumber & { ok: false }) => void;
  limits?: NumberLimits;
  /** Default 0.1; ten times as much with Shift. */
  step?: number;
  /** As a cell of a grid: whether it is the tab stop. */
  tabStop?: boolean;
  dataName?: string;
  dataIndex?: number;
}

function read(event: Event, options: NumberInputOptions, isFinal: boolean): void {
  const { value: text } = event.target as HTMLInputElement;
  const parsed = parseNumber(text, options.limits);
  if (parsed.ok) return options.onNumber(parsed.value);
  if (isFinal || !isUnfinishedNumber(text)) options.onRefuse(parsed);
}

function step(field: HTMLInputElement, direction: number, event: KeyboardEvent, options: NumberInputOptions): void {
  const parsed = parseNumber(field.value, options.limits);
  const size = (options.step ?? 0.1) * (event.shiftKey ? 10 : 1);
  const next = stepNumber(parsed.ok ? parsed.value : options.value, direction * size, options.limits);
  field.value = inputNumber(next);
  options.onNumber(next);
}

function isAtEdge(field: HTMLInputElement, edge: 'start' | 'end'): boolean {
  const { selectionStart, selectionEnd, value } = field;
  if (selectionStart === 0 && selectionEnd === value.length) return true;
  return selectionStart === selectionEnd && selectionStart === (edge === 'start' ? 0 : value.length);
}

function press(event: KeyboardEvent, options: NumberInputOptions): void {
  const field = event.target as HTMLInputElement;
  const grid = field.closest('[role=grid]');
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'ArrowUp') step(field, 1, event, options);
  else if (event.key === 'ArrowDown') step(field, -1, event, options);
  else if (event.key === 'Escape' && options.isRefused) {
    field.value = inputNumber(options.value);
    options.onNumber(options.value);
  } else if (!grid || !movesInGrid(event, field, grid)) return;
  event.preventDefault();
}

function movesInGrid(event: KeyboardEvent, field: HTMLInputElement, grid: Element): boolean {
  if (event.key === 'Enter') return moveBy(grid, field, event.shiftKey ? -1 : 1, 0);
  if (event.shiftKey) return false;
  if (event.key === 'ArrowLeft' && isAtEdge(field, 'start')) return moveAlong(grid, field, -1);
  return event.key === 'ArrowRight' && isAtEdge(field, 'end') && moveAlong(grid, field, 1);
}

export function numberInput(options: NumberInputOptions): TemplateResult {
  const { label, value, isRefused, tabStop, limits } = options;
  return html`<input
    class="number"
    type="text"
    role="spinbutton"
    autocomplete="off"
    spellcheck="false"
    enterkeyhint="next"
    ?data-cell=${tabStop !== undefined}
    tabindex=${tabStop === false ? -1 : 0}
    aria-label=${label}
    aria-valuenow=${value}
    aria-valuemin=${limits?.min ?? nothing}
    aria-valuemax=${limits?.max ?? nothing}
    aria-invalid=${isRefused}
    data-name=${options.dataName ?? nothing}
    data-index=${options.dataIndex ?? nothing}
    ${fieldText(inputNumber(value), isRefused)}
    @input=${(event: Event) => read(event, options, false)}
    @change=${(event: Event) => read(event, options, true)}
    @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
    @keydown=${(event: KeyboardEvent) => press(event, options)}
  />`;
}
