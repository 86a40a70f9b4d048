// SPDX-License-Identifier: MIT
// Base of all figures: one shared engine, lazy and pausable computing, theme, errors, prediction; state is in StatefulElement.
import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import type { Lookback } from '../engine/types.js';
import { sharedEngine } from './engine_access.js';
import type { NamedArray, Question } from './figure_data.js';
import { FigureTools } from './figure_tools.js';
import { loadMathFont } from './math_font.js';
import type { MessageKey } from './messages/index.js';
import { colorSchemeSource, hostMarkerSource, isMotionReduced, motionSource } from './page_watch.js';
import { PredictMode } from './predict_mode.js';
import { computeProblem } from './problems.js';
import { StatefulElement } from './stateful_element.js';
import { figureStyles } from './styles/index.js';
import { resolveTheme, type Theme } from './theme.js';
import { Throttle } from './throttle.js';
import type { KindWords } from './views/matrix_view.js';
import { watchVisibility } from './visibility.js';

/** Quiet time before a change is announced to a screen reader. */
const kAnnounceMs = 1200;

export abstract class FigureElement<Result = unknown> extends StatefulElement {
  static override styles: CSSResultGroup = figureStyles;

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'theme', 'predict', 'hide'];
  }

  /** Shown as the figure's name to a screen reader. */
  protected abstract readonly titleKey: MessageKey;

  /** Synchronous and pure: from the state to everything that is shown. May throw LookbackError. */
  protected abstract compute(engine: Lookback): Result;
  protected abstract inputs(result: Result): unknown;
  /** Hidden in predict mode until the reader has committed a guess. */
  protected abstract results(result: Result): unknown;
  abstract arrays(result: Result): NamedArray[];
  /** One or two sentences that say what the figure shows now. */
  protected abstract describe(result: Result): string;

  /** Asked in predict mode. */
  question?(result: Result): Question | undefined;
  /** Asynchronous set-up between the engine's arrival and the first result. */
  protected async prepare(_engine: Lookback, _signal: AbortSignal): Promise<void> {}
  /** For figures with long work of their own: pause and go on. */
  protected visibilityChanged(_isNear: boolean): void {}

  /** Set by a page that keeps state in its URL: gives the link to this figure as it is now. */
  declare link?: () => string;

  protected engine: Lookback | undefined;
  protected result: Result | undefined;

  #theme: Theme = 'light';
  #isNear = false;
  #isStarting = false;
  #isOutdated = false;
  #connection = new AbortController();
  #stops: (() => void)[] = [];
  readonly #announcer = new Throttle(kAnnounceMs, (text) => this.#announce(text));
  readonly #predict = new PredictMode<Result>(this);
  readonly #tools = new FigureTools<Result>(this);

  /** The core's build behind the numbers, once there are any. */
  get build(): string | undefined {
    return this.engine?.build;
  }

  /** Aborted when the element leaves the page. */
  protected get connection(): AbortSignal {
    return this.#connection.signal;
  }

  /** False off screen: long work should wait. */
  protected get isNear(): boolean {
    return this.#isNear;
  }

  protected get isMotionReduced(): boolean {
    return isMotionReduced();
  }

  /** Words for numbers that are more than their digits, for the views. */
  protected get kindWords(): KindWords {
    return { masked: this.t('kit.masked'), zero: this.t('kit.zero'), nan: this.t('kit.nan') };
  }

  // --- Life

  override attributeChangedCallback(name: string, old: string | null, text: string | null): void {
    super.attributeChangedCallback(name, old, text);
    if (name === 'predict') this.#predict.restart();
    if (name === 'theme' || name === 'hide') this.#readPage();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    loadMathFont();
    this.#connection = new AbortController();
    this.#stops = [
      hostMarkerSource.subscribe(() => this.#readPage()),
      colorSchemeSource.subscribe(() => this.#readPage()),
      motionSource.subscribe(() => this.requestUpdate()),
      watchVisibility(this, (isNear) => this.#move(isNear)),
    ];
    this.#readPage();
    if (this.getAttribute('loading') === 'eager') this.#startOnce();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#connection.abort();
    this.#stops.splice(0).forEach((stop) => stop());
    this.#announcer.cancel();
    this.#isStarting = false;
    this.#isNear = false;
  }

  #readPage(): void {
    if (!this.isConnected) return;
    this.#theme = resolveTheme(this.getAttribute('theme'));
    this.readLanguage();
    this.requestUpdate();
  }

  #move(isNear: boolean): void {
    this.#isNear = isNear;
    this.visibilityChanged(isNear);
    if (isNear) this.#startOnce();
    if (isNear && this.isStale) this.requestUpdate();
  }

  #startOnce(): void {
    if (!this.engine && !this.#isStarting) void this.#start(this.connection);
  }

  async #start(signal: AbortSignal): Promise<void> {
    this.#isStarting = true;
    try {
      const engine = await sharedEngine();
      if (signal.aborted) return;
      await this.prepare(engine, signal);
      if (signal.aborted) return;
      this.engine = engine;
      this.problems.clear('start');
    } catch (error) {
      if (!signal.aborted) this.report('start', computeProblem(this.language, error, true));
    } finally {
      if (!signal.aborted) this.#isStarting = false;
    }
    this.requestUpdate();
  }

  // --- Computing and showing

  /** Asks for a new result though no declared state changed. */
  protected invalidate(): void {
    this.isStale = true;
    this.requestUpdate();
  }

  override willUpdate(_changed: PropertyValues): void {
    if (!this.engine || !this.isStale || !this.#isNear) return;
    this.isStale = false;
    try {
      this.result = this.compute(this.engine);
      this.problems.clear('compute');
      this.#isOutdated = false;
    } catch (error) {
      this.#isOutdated = true;
      this.report('compute', computeProblem(this.language, error, false));
    }
  }

  protected override edited(): void {
    if (this.result !== undefined && !this.#predict.isAsking) this.#announcer.push(this.describe(this.result));
  }

  #announce(text: string): void {
    const live = this.renderRoot.querySelector('.live');
    if (live) live.textContent = text;
  }

  override render(): TemplateResult {
    const { result } = this;
    return html`<figure class="figure" data-theme=${this.#theme} lang=${this.language} aria-label=${this.t(this.titleKey)} data-hide=${this.getAttribute('hide') ?? nothing}>
      ${result === undefined ? html`<slot></slot>` : nothing}
      ${this.#alert()}
      ${result === undefined ? nothing : this.#body(result)}
    </figure>`;
  }

  #alert(): TemplateResult {
    const problem = this.problems.first;
    return html`<div role="alert" class="alert">${problem ? html`<p>${problem.message} ${this.#isOutdated ? this.t('kit.stale') : nothing}</p>` : nothing}</div>`;
  }

  #body(result: Result): TemplateResult {
    const { isAsking } = this.#predict;
    return html`<div class="body" ?data-outdated=${this.#isOutdated} @pointerover=${this.#tools.showValue} @focusin=${this.#tools.showValue}>
        <div class="inputs" part="inputs">${this.inputs(result)}</div>
        ${this.#predict.render(result)}
        ${isAsking ? nothing : html`<div class="results" part="results">${this.results(result)}</div>`}
      </div>
      ${this.#tools.render(result, !isAsking)}
      <p class="unseen">${isAsking ? nothing : this.describe(result)}</p>
      <p class="unseen live" role="status"></p>`;
  }
}
