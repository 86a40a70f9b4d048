// SPDX-License-Identifier: MIT
// Sliders, choices, toggles and buttons. A label carries the symbol of the formula that the control changes.
import { html, nothing, type TemplateResult } from 'lit';
import type { NumberLimits, ParsedNumber } from '../number_text.js';
import { formatNumber } from '../number_text.js';
import { numberInput } from './number_input.js';

export interface SliderOptions {
  label: unknown;
  /** Plain words for screen readers. */
  name: string;
  value: number;
  limits: Required<Pick<NumberLimits, 'min' | 'max'>>;
  step: number;
  isRefused: boolean;
  onNumber: (value: number) => void;
  onRefuse: (parsed: ParsedNumber & { ok: false }) => void;
}

/** A slider with its number, which can be typed. */
export function slider(options: SliderOptions): TemplateResult {
  const { label, name, value, limits, step } = options;
  return html`<div class="control slider">
    <span class="control-label">${label}</span>
    <input type="range" aria-label=${name} min=${limits.min} max=${limits.max} step=${step} .value=${String(value)}
      @input=${(event: Event) => options.onNumber(Number((event.target as HTMLInputElement).value))} />
    ${numberInput({ label: name, value, isRefused: options.isRefused, limits, step, onNumber: options.onNumber, onRefuse: options.onRefuse })}
  </div>`;
}

export interface Choice<T extends string> {
  value: T;
  label: unknown;
  isDisabled?: boolean;
}

/** A few choices side by side; one tab stop, arrow keys by the browser. `name` must be unique inside the figure. */
export function segmented<T extends string>(name: string, label: unknown, choices: readonly Choice<T>[], value: T, onChoose: (value: T) => void, isLabelHidden = false): TemplateResult {
  return html`<fieldset class="control segmented" aria-label=${typeof label === 'string' && isLabelHidden ? label : nothing}>
    ${isLabelHidden ? nothing : html`<legend class="control-label">${label}</legend>`}
    <span class="segments">
      ${choices.map(
        (choice) => html`<label class="segment">
          <input type="radio" name=${name} .checked=${choice.value === value} ?disabled=${choice.isDisabled} @change=${() => onChoose(choice.value)} />
          <span>${choice.label}</span>
        </label>`,
      )}
    </span>
  </fieldset>`;
}

export function select<T extends string>(label: unknown, choices: readonly Choice<T>[], value: T, onChoose: (value: T) => void): TemplateResult {
  return html`<label class="control">
    <span class="control-label">${label}</span>
    <select .value=${value} @change=${(event: Event) => onChoose((event.target as HTMLSelectElement).value as T)}>
      ${choices.map((choice) => html`<option value=${choice.value} ?selected=${choice.value === value} ?disabled=${choice.isDisabled}>${choice.label}</option>`)}
    </select>
  </label>`;
}

export function toggle(label: unknown, isOn: boolean, onToggle: (isOn: boolean) => void, name?: string): TemplateResult {
  return html`<label class="control toggle">
    <input type="checkbox" .checked=${isOn} aria-label=${name ?? nothing} @change=${(event: Event) => onToggle((event.target as HTMLInputElement).checked)} />
    <span>${label}</span>
  </label>`;
}

export function button(label: unknown, onPress: () => void, options: { isDisabled?: boolean; name?: string } = {}): TemplateResult {
  return html`<button type="button" class="button" ?disabled=${options.isDisabled} aria-label=${options.name ?? nothing} @click=${onPress}>${label}</button>`;
}

/** A count with less and more, such as a number of rows. */
export function counter(label: unknown, name: string, count: number, limits: Required<Pick<NumberLimits, 'min' | 'max'>>, onCount: (count: number) => void): TemplateResult {
  return html`<div class="control counter" role="group" aria-label=${name}>
    <span class="control-label">${label}</span>
    ${button('−', () => onCount(count - 1), { isDisabled: count <= limits.min, name: `${name} − 1` })}
    <output>${formatNumber(count, 0)}</output>
    ${button('+', () => onCount(count + 1), { isDisabled: count >= limits.max, name: `${name} + 1` })}
  </div>`;
}
