// SPDX-License-Identifier: MIT
// The line under a figure: the number under the pointer or focus, the table of all numbers, downloads, links, reset.
import { html, nothing, type TemplateResult } from 'lit';
import { copyText } from './export/clipboard.js';
import { embedCode } from './export/embed_code.js';
import type { FigureElement } from './figure_element.js';
import { attributeName } from './state_properties.js';
import { dataTables } from './views/data_tables.js';

type Saving = 'svg' | 'png' | 'csv' | 'json';

export class FigureTools<Result> {
  #isTableShown = false;
  #note: { text: string; byHand: boolean } | undefined;

  constructor(private readonly figure: FigureElement<Result>) {}

  /** Names the value under the pointer or focus with all its digits. Writes one text node: no new rendering. */
  readonly showValue = (event: Event): void => {
    const cell = (event.target as Element).closest?.('[data-value]');
    const readout = this.figure.renderRoot.querySelector('.readout');
    if (cell && readout) readout.textContent = cell.getAttribute('aria-label') ?? cell.getAttribute('data-value');
  };

  render(result: Result, isRevealed: boolean): TemplateResult {
    const { figure } = this;
    return html`<div class="tools" data-export="skip" role="group" aria-label=${figure.t('kit.tools')}>
        <output class="readout" aria-live="off"></output>
        <span class="tool-buttons">
          ${figure.saveState() === '' ? nothing : this.#button('kit.reset', () => figure.reset())}
          ${isRevealed ? this.#button(this.#isTableShown ? 'kit.table.hide' : 'kit.table', () => this.#toggleTable(), this.#isTableShown) : nothing}
          ${isRevealed ? this.#menu(result) : nothing}
        </span>
        ${this.#noteView()}
      </div>
      ${isRevealed && this.#isTableShown ? dataTables(figure.arrays(result), figure.t('kit.table')) : nothing}`;
  }

  #button(key: Parameters<FigureElement['t']>[0], act: () => void, expanded?: boolean): TemplateResult {
    return html`<button type="button" class="link-button" aria-expanded=${expanded ?? nothing} @click=${act}>${this.figure.t(key)}</button>`;
  }

  #menu(result: Result): TemplateResult {
    const save = (kind: Saving) => () => void this.#save(kind, result);
    return html`<details class="menu" @keydown=${this.#closeMenu} @focusout=${this.#leaveMenu} @click=${this.#useMenu}>
      <summary class="link-button">${this.figure.t('kit.save')}</summary>
      <div class="menu-items">
        ${(['svg', 'png', 'csv', 'json'] as const).map((kind) => this.#button(`kit.save.${kind}`, save(kind)))}
        ${this.figure.link ? this.#button('kit.copy.link', () => void this.#copy(this.figure.link!())) : nothing}
        ${this.#button('kit.copy.embed', () => void this.#copy(embedCode(this.figure, [...Object.keys(this.figure.table).map(attributeName), 'predict', 'hide'])))}
      </div>
    </details>`;
  }

  readonly #closeMenu = (event: KeyboardEvent): void => {
    const menu = event.currentTarget as HTMLDetailsElement;
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  };

  /** The focus went elsewhere, not to another item. */
  readonly #leaveMenu = (event: FocusEvent): void => {
    const menu = event.currentTarget as HTMLDetailsElement;
    if (event.relatedTarget && !menu.contains(event.relatedTarget as Node)) menu.open = false;
  };

  readonly #useMenu = (event: Event): void => {
    if ((event.target as Element).closest('.menu-items button')) (event.currentTarget as HTMLDetailsElement).open = false;
  };

  #noteView(): unknown {
    if (!this.#note) return html`<p class="note" role="status"></p>`;
    const { text, byHand } = this.#note;
    if (!byHand) return html`<p class="note" role="status">${text}</p>`;
    const select = (event: Event): void => (event.target as HTMLTextAreaElement).select();
    return html`<label class="note">${this.figure.t('kit.copy.byHand')}<textarea readonly rows="3" .value=${text} @focus=${select}></textarea></label>`;
  }

  #toggleTable(): void {
    this.#isTableShown = !this.#isTableShown;
    this.figure.requestUpdate();
  }

  async #copy(text: string): Promise<void> {
    const isCopied = await copyText(text);
    this.#note = isCopied ? { text: this.figure.t('kit.copied'), byHand: false } : { text, byHand: true };
    this.figure.requestUpdate();
  }

  async #save(kind: Saving, result: Result): Promise<void> {
    const { saveFigure } = await import('./export/save_figure.js');
    await saveFigure(kind, this.figure, this.figure.arrays(result));
  }
}
