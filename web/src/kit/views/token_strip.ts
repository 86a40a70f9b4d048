// SPDX-License-Identifier: MIT
// Words or tokens in a row, shaded by a weight, one of them chosen. Tokens are text, never markup.
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, fullNumber } from '../number_text.js';
import { cssValues } from './css_values.js';
import { keepTabStop, moveAlong } from './grid_keys.js';
import { valueKind } from './value_cell.js';

export interface Token {
  text: string;
  /** 0 to 1; absent: no shade and no number. */
  weight?: number;
  isMasked?: boolean;
  /** A kind of token, for styles (data-mark), and the word that says it. */
  mark?: { kind: string; word: string };
}

export interface TokenStripOptions {
  name: string;
  tokens: readonly Token[];
  chosen?: number;
  /** Makes tokens choosable: a radio group with one tab stop. */
  onChoose?: (index: number) => void;
  /** Word for a masked token in its name. */
  maskedWord: string;
  digits?: number;
  dataName?: string;
}

function press(event: KeyboardEvent, onChoose: (index: number) => void): void {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
  const strip = event.currentTarget as Element;
  const token = (event.target as Element).closest<HTMLElement>('[data-cell]');
  if (!token) return;
  const at = (element: Element | null): number => Number(element?.getAttribute('data-token'));
  if (event.key === ' ' || event.key === 'Enter') onChoose(at(token));
  else if (step && moveAlong(strip, token, step)) onChoose(at((strip.getRootNode() as ShadowRoot).activeElement));
  else if (!step) return;
  event.preventDefault();
}

function tokenView(options: TokenStripOptions, token: Token, index: number): TemplateResult {
  const { chosen, onChoose, maskedWord, digits = 3, dataName } = options;
  const { text, weight, isMasked = false, mark } = token;
  const isChosen = index === chosen;
  const said = [text, weight === undefined ? '' : fullNumber(weight), isMasked ? maskedWord : '', mark?.word].filter(Boolean).join(', ');
  return html`<span
    class="token"
    data-token=${index}
    ?data-cell=${onChoose !== undefined}
    role=${onChoose ? 'radio' : 'listitem'}
    tabindex=${onChoose ? (index === (chosen ?? 0) ? 0 : -1) : nothing}
    aria-checked=${onChoose ? isChosen : nothing}
    aria-label=${said}
    data-kind=${weight === undefined ? (isMasked ? 'masked' : 'number') : valueKind(weight, isMasked)}
    data-mark=${mark?.kind ?? nothing}
    data-name=${dataName ?? nothing}
    data-index=${dataName ? index : nothing}
    data-value=${weight ?? nothing}
    ?data-chosen=${isChosen}
    ${cssValues({ '--v': (weight ?? 0).toFixed(3) })}
    @click=${onChoose ? () => onChoose(index) : nothing}
  ><span class="token-text">${text}</span>${weight === undefined ? nothing : html`<span class="token-number">${formatNumber(weight, digits)}</span>`}</span>`;
}

export function tokenStrip(options: TokenStripOptions): TemplateResult {
  const { name, tokens, onChoose } = options;
  return html`<div class="tokens" role=${onChoose ? 'radiogroup' : 'list'} aria-label=${name} dir="auto"
    @keydown=${onChoose ? (event: KeyboardEvent) => press(event, onChoose) : nothing} @focusin=${onChoose ? keepTabStop : nothing}>
    ${tokens.map((token, index) => tokenView(options, token, index))}
  </div>`;
}
