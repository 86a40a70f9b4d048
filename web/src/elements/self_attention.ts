// SPDX-License-Identifier: MIT
// <lookback-self-attention>: words to queries, keys and values to output, step by step, on an editable sentence.
import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import type { Lookback } from '../engine/types.js';
import {
  button,
  FigureElement,
  figureStyles,
  formatNumber,
  largestIndex,
  segmented,
  tokenStrip,
  type CellEditor,
  type NamedArray,
  type Question,
  type Rows,
} from '../kit/index.js';
import { cellError } from '../kit/cell_editor.js';
import { additiveStyles } from './additive_styles.js';
import { computeSelfAttention, keepOf, selfAttentionTable, steps, wordsOf, type SelfAttentionResult, type SelfAttentionState, type StepName } from './self_attention_model.js';
import { selfAttentionStyles } from './self_attention_styles.js';
import { embedStep, mixStep, projectStep, scoreStep, weighStep, wordLabels, type StepContext } from './self_attention_views.js';
import { embeddingOf, kMaxWords } from './self_attention_words.js';

const presets = { river: 'the river bank flooded', loan: 'the bank approved the loan' } as const;
const stepViews: Readonly<Record<StepName, (context: StepContext) => TemplateResult>> = { embed: embedStep, project: projectStep, score: scoreStep, weigh: weighStep, mix: mixStep };

export interface SelfAttentionElement extends SelfAttentionState {}

export class SelfAttentionElement extends FigureElement<SelfAttentionResult> {
  static override readonly table = selfAttentionTable;
  static override styles: CSSResultGroup = [...figureStyles, additiveStyles, selfAttentionStyles];

  protected readonly titleKey = 'self.title';
  protected override readonly labels = { text: 'text', vectors: 'X', wq: 'W_Q', wk: 'W_K', wv: 'W_V' };

  get #state(): SelfAttentionState {
    const { text, vectors, form, wq, wk, wv, heads, mask, keep, word, order, step } = this;
    return { text, vectors, form, wq, wk, wv, heads, mask, keep, word, order, step };
  }

  protected compute(engine: Lookback): SelfAttentionResult {
    return computeSelfAttention(engine, this.#state);
  }

  protected inputs({ isCut, words }: SelfAttentionResult): TemplateResult {
    return html`<div class="sentence">
        <label class="control sentence-field"><span class="control-label">${this.t('self.sentence')}</span>
          <input class="text" type="text" maxlength="160" spellcheck="false" autocomplete="off" .value=${this.text} @input=${(event: Event) => this.#retype((event.target as HTMLInputElement).value)} /></label>
        <span class="examples" data-export="skip"><span class="quiet">${this.t('self.examples')}</span> ${this.#example('river')} ${this.#example('loan')}</span>
      </div>
      ${isCut ? html`<p class="quiet">${this.t('self.tooLong', { limit: kMaxWords })}</p>` : nothing}
      ${words.length === 0 ? html`<p>${this.t('self.noWords')}</p>` : nothing}
      <div class="controls">
        ${segmented('form', this.t('self.form'), [{ value: 'projected', label: this.parts('self.form.projected', { w: tex`W_Q, W_K, W_V` }) }, { value: 'free', label: this.t('self.form.free') }], this.form, (form) => this.edit({ form }))}
        ${segmented('heads', this.t('self.heads'), [{ value: '1', label: '1' }, { value: '2', label: '2', isDisabled: this.form === 'free' }], this.form === 'free' ? '1' : String(this.heads), (heads) => this.edit({ heads: Number(heads) }))}
        ${segmented('mask', this.t('self.mask'), [{ value: 'none', label: this.t('self.mask.none') }, { value: 'causal', label: this.t('self.mask.causal') }], this.mask, (mask) => this.edit({ mask }))}
      </div>`;
  }

  #example(name: keyof typeof presets): TemplateResult {
    return html`<button type="button" class="link-button" @click=${() => this.#retype(presets[name])}>${this.t(`self.preset.${name}`)}</button>`;
  }

  /** Another sentence keeps the chosen word when it is still there. */
  #retype(text: string): void {
    const chosen = wordsOf(this).words[this.word];
    const word = wordsOf({ text }).words.indexOf(chosen ?? '');
    this.edit({ text, keep: [], order: '', word: word < 0 ? Math.min(this.word, Math.max(0, wordsOf({ text }).words.length - 1)) : word });
  }

  protected results(result: SelfAttentionResult): unknown {
    if (result.words.length === 0) return nothing;
    const context = this.#context(result);
    return html`${this.#readings(context)} ${this.#stepper()}
      <section class="step-view" aria-label=${this.t(`self.step.${this.step}`)}>${stepViews[this.step](context)}</section>
      ${this.#shuffle(result)}`;
  }

  #context(result: SelfAttentionResult): StepContext {
    return {
      state: this.#state, result, chosen: this.#chosenIn(result), kindWords: this.kindWords,
      onChoose: (word) => this.edit({ word }),
      onKeep: (index, isKept) => this.edit({ keep: keepOf(this, result.words.length).map((flag, each) => (each === index ? isKept : flag)) }),
      wordEditor: this.#wordEditor(result.words),
      weightEditor: (name) => this.cells(name),
      t: (key, values) => this.t(key, values),
      parts: (key, values) => this.parts(key, values),
    };
  }

  #chosenIn({ words }: SelfAttentionResult): number {
    return Math.min(this.word, words.length - 1);
  }

  /** A word's vector belongs to the word: all its places in the sentence change together. */
  #wordEditor(words: readonly string[]): CellEditor {
    const key = (row: number, column: number): string => `vectors/${words[row]}/${column}`;
    return {
      set: (row, column, value) => {
        this.problems.clear(key(row, column));
        const word = words[row]!;
        const vector = embeddingOf(word, this.vectors).map((old, index) => (index === column ? value : old));
        this.edit({ vectors: { ...this.vectors, [word]: vector } });
      },
      refuse: (row, column, parsed) => this.refuse(key(row, column), 'vectors', cellError(parsed, words.map(() => []), row, column)),
      isRefused: (row, column) => this.problems.has(key(row, column)),
    };
  }

  #readings({ result, chosen, onChoose }: StepContext): TemplateResult {
    return html`<div class="readings">${result.weights.map((rows, head) => {
      const name = this.t(result.weights.length === 1 ? 'self.reads' : 'self.reads.head', { word: result.words[chosen], head: head + 1 });
      const tokens = result.words.map((text, index) => ({ text, weight: rows[chosen]![index]!, isMasked: result.maskedScores[head]![chosen]![index] === -Infinity }));
      return html`<div class="reading"><span class="reading-name">${name}</span>${tokenStrip({ name, tokens, chosen, onChoose, maskedWord: this.t('kit.masked') })}</div>`;
    })}</div>`;
  }

  #stepper(): TemplateResult {
    const at = steps.indexOf(this.step);
    const go = (index: number) => () => this.edit({ step: steps[index] });
    const choices = steps.map((value, index) => ({ value, label: html`<span class="step-number">${index + 1}</span>${this.t(`self.step.${value}`)}` }));
    return html`<div class="stepper" data-export="skip">
      ${segmented('step', this.t('self.step'), choices, this.step, (step) => this.edit({ step }), true)}
      <span class="stepper-buttons">
        ${button('‹', go(at - 1), { isDisabled: at === 0, name: this.t('self.step.previous') })} ${button('›', go(at + 1), { isDisabled: at === steps.length - 1, name: this.t('self.step.next') })}
      </span>
    </div>`;
  }

  #shuffle({ words, shuffle }: SelfAttentionResult): TemplateResult {
    const text = shuffle
      ? this.t(this.mask === 'causal' && shuffle.difference > 1e-4 ? 'self.shuffle.differ' : 'self.shuffle.same', {
          order: `“${shuffle.order.map((from) => words[from]).join(' ')}”`,
          difference: shuffle.difference === 0 ? '0' : shuffle.difference < 0.001 ? shuffle.difference.toExponential(1) : formatNumber(shuffle.difference),
        })
      : this.t('self.shuffle.hint');
    return html`<div class="shuffle" data-export="skip">
      ${button(this.t('self.shuffle'), () => this.edit({ order: shuffled(words.length).join(' ') }), { isDisabled: words.length < 2 })}
      ${shuffle ? button(this.t('self.shuffle.undo'), () => this.edit({ order: '' })) : nothing}
      <p data-name="shuffle-difference" data-value=${shuffle?.difference ?? nothing}>${text}</p>
    </div>`;
  }

  arrays(result: SelfAttentionResult): NamedArray[] {
    const rowLabels = wordLabels(result.words);
    const perHead = (name: string, symbol: string, matrices: readonly Rows[], columnLabels?: readonly string[]): NamedArray[] =>
      matrices.map((rows, head) => ({ name: matrices.length === 1 ? name : `${name}_head_${head + 1}`, symbol: matrices.length === 1 ? symbol : `${symbol}, ${head + 1}`, rows, rowLabels, ...(columnLabels ? { columnLabels } : {}) }));
    return [
      { name: 'x', symbol: 'X', rows: result.x, rowLabels },
      ...perHead('q', 'Q', result.q),
      ...perHead('k', 'K', result.k),
      ...perHead('v', 'V', result.v),
      ...perHead('scores', 'S', result.scores, rowLabels),
      ...perHead('masked_scores', 'S, masked', result.maskedScores, rowLabels),
      ...perHead('weights', 'A', result.weights, rowLabels),
      { name: 'output', symbol: 'O', rows: result.output, rowLabels },
    ];
  }

  protected describe(result: SelfAttentionResult): string {
    if (result.words.length === 0) return this.t('self.noWords');
    const chosen = this.#chosenIn(result);
    const list = result.weights[0]![chosen]!.map((weight, index) => `${result.words[index]} ${formatNumber(weight)}`).join(', ');
    return this.t('self.describe', { word: result.words[chosen], list });
  }

  override question(result: SelfAttentionResult): Question | undefined {
    if (result.words.length === 0) return undefined;
    const chosen = this.#chosenIn(result);
    return { prompt: this.t('self.question', { word: result.words[chosen] }), choices: wordLabels(result.words), answer: largestIndex(result.weights[0]![chosen]!) };
  }
}

/** A random order that is not the present one, for two words or more. */
function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order.every((from, index) => from === index) ? [...order.slice(1), order[0]!] : order;
}
