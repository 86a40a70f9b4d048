// SPDX-License-Identifier: MIT
// Predict, then reveal: results stay hidden until the reader commits a guess; the guess is told by an `answer` event.
import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from './figure_data.js';
import type { FigureElement } from './figure_element.js';

export class PredictMode<Result> {
  #choice: number | undefined;
  #committed: { question: Question; guess: number } | undefined;

  constructor(private readonly figure: FigureElement<Result>) {}

  get #isOn(): boolean {
    return this.figure.hasAttribute('predict') && this.figure.question !== undefined;
  }

  get isAsking(): boolean {
    return this.#isOn && this.#committed === undefined;
  }

  restart(): void {
    this.#choice = undefined;
    this.#committed = undefined;
    this.figure.requestUpdate();
  }

  render(result: Result): TemplateResult | typeof nothing {
    const question = this.#isOn ? this.figure.question?.(result) : undefined;
    if (!question) return nothing;
    return this.#committed ? this.#verdict() : this.#form(question);
  }

  #form(question: Question): TemplateResult {
    const choose = (index: number) => () => {
      this.#choice = index;
      this.figure.requestUpdate();
    };
    return html`<form class="predict" @submit=${(event: Event) => this.#commit(event, question)}>
      <fieldset>
        <legend><span class="predict-lead">${this.figure.t('kit.predict.ask')}</span> ${question.prompt}</legend>
        ${question.choices.map((choice, index) => html`<label><input type="radio" name="guess" .checked=${this.#choice === index} @change=${choose(index)} /> ${choice}</label>`)}
      </fieldset>
      <button class="button" ?disabled=${this.#choice === undefined}>${this.figure.t('kit.predict.commit')}</button>
    </form>`;
  }

  #commit(event: Event, question: Question): void {
    event.preventDefault();
    if (this.#choice === undefined) return;
    this.#committed = { question, guess: this.#choice };
    const guess = question.choices[this.#choice];
    const answer = question.choices[question.answer];
    const detail = { guess, answer, isRight: guess === answer };
    this.figure.dispatchEvent(new CustomEvent('answer', { detail, bubbles: true, composed: true }));
    this.figure.requestUpdate();
  }

  #verdict(): TemplateResult {
    const { question, guess } = this.#committed!;
    const key = guess === question.answer ? 'kit.predict.right' : 'kit.predict.wrong';
    const values = { guess: question.choices[guess], answer: question.choices[question.answer] };
    return html`<p class="predict" role="status">
      ${this.figure.t(key, values)}
      <button class="link-button" type="button" @click=${() => this.restart()}>${this.figure.t('kit.predict.again')}</button>
    </p>`;
  }
}
