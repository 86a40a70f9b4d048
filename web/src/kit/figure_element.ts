// SPDX-License-Identifier: MIT
// Base of all figures: declared state, one shared engine, lazy and pausable computing, theme, language, errors, prediction.
import { LitElement, html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import type { Lookback } from '../engine/types.js';
import { cellError, withCell, type CellEditor } from './cell_editor.js';
import { sharedEngine } from './engine_access.js';
import { FieldError } from './fields.js';
import type { NamedArray, Question } from './figure_data.js';
import { FigureTools } from './figure_tools.js';
import { loadMathFont } from './math_font.js';
import { languageOf, loadLanguage, message, messageParts, type MessageKey, type MessageValues } from './messages/index.js';
import { colorSchemeSource, hostMarkerSource, isMotionReduced, motionSource } from './page_watch.js';
import { PredictMode } from './predict_mode.js';
import { computeProblem, fieldProblem, ProblemList, type Problem } from './problems.js';
import { decodeState, encodeState, type StateOf, type StateTable } from './state_codec.js';
import { attributeName, defineStateProperties, takeOverOwnProperties, type StateHolder } from './state_properties.js';
import { figureStyles } from './styles/index.js';
import { resolveTheme, type Theme } from './theme.js';
import { Throttle } from './throttle.js';
import type { KindWords } from './views/matrix_view.js';
import { watchVisibility } from './visibility.js';

const frameAttributes = ['theme', 'predict', 'hide', 'lang'];
/** Quiet time before a change is announced to a screen reader. */
const kAnnounceMs = 1200;

export abstract class FigureElement<Result = unknown> extends LitElement implements StateHolder {
  /** The state a subclass declares; each entry becomes a property and an attribute. */
  static readonly table: StateTable = {};
  static override styles: CSSResultGroup = figureStyles;

  static override get observedAttributes(): string[] {
    defineStateProperties(this.prototype, this.table);
    return [...super.observedAttributes, ...Object.keys(this.table).map(attributeName), ...frameAttributes];
  }

  /** Shown as the figure's name to a screen reader. */
  protected abstract readonly titleKey: MessageKey;
  /** Symbol of each property in error messages: { keys: 'h' }. */
  protected readonly labels: Readonly<Record<string, string>> = {};

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
  /** Asynchronous set-up between the engine's arrival and the first result, once per connection. */
  protected async prepare(_engine: Lookback, _signal: AbortSignal): Promise<void> {}

  /** Set by a page that keeps state in its URL: gives the link to this figure as it is now. */
  declare link?: () => string;

  protected engine: Lookback | undefined;
  protected result: Result | undefined;
  protected language = 'en';
  protected readonly problems = new ProblemList();

  readonly #state: Record<string, unknown>;
  #authored: Record<string, unknown> = {};
  #theme: Theme = 'light';
  #isNear = false;
  #isStarting = false;
  #isStale = true;
  #isOutdated = false;
  #connection = new AbortController();
  #stops: (() => void)[] = [];
  readonly #announcer = new Throttle(kAnnounceMs, (text) => this.#announce(text));
  readonly #predict = new PredictMode<Result>(this);
  readonly #tools = new FigureTools<Result>(this);

  constructor() {
    super();
    this.#state = Object.fromEntries(Object.entries(this.table).map(([name, field]) => [name, field.initial]));
    this.#authored = { ...this.#state };
  }

  get table(): StateTable {
    return (this.constructor as typeof FigureElement).table;
  }

  /** The core's build behind the numbers, once there are any. */
  get build(): string | undefined {
    return this.engine?.build;
  }

  // --- State

  readState(name: string): unknown {
    return this.#state[name];
  }

  writeState(name: string, value: unknown): void {
    this.#take(name, () => this.table[name]!.check(value));
  }

  /** The state that differs from what the page's author set, for a URL. */
  saveState(): string {
    return encodeState(this.table, this.#state as StateOf<StateTable>, this.#authored);
  }

  /** The reverse of saveState; what is unknown or broken is ignored. */
  loadState(text: string): void {
    const found = decodeState(this.table, text);
    for (const name of Object.keys(this.table)) this.writeState(name, found[name] ?? this.#authored[name]);
  }

  /** Takes changes made by the reader, then fires `change`. */
  protected edit(changes: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(changes)) this.writeState(name, value);
    this.#tellChange();
  }

  #tellChange(): void {
    void this.updateComplete.then(() => {
      this.fire('change', { state: { ...this.#state } });
      if (this.result !== undefined && !this.#predict.isAsking) this.#announcer.push(this.describe(this.result));
    });
  }

  /** Back to what the page's author set. */
  reset(): void {
    for (const key of ['compute', ...Object.keys(this.table)]) this.problems.clear(key);
    this.edit(this.#authored);
  }

  #take(name: string, read: () => unknown, keepsParts = false): void {
    try {
      const value = read();
      const isSame = this.table[name]!.print(value) === this.table[name]!.print(this.#state[name]);
      if (isSame && !this.problems.has(name)) return;
      if (keepsParts) this.problems.clearOnly(name);
      else this.problems.clear(name);
      this.#state[name] = value;
      this.#isStale ||= !isSame;
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      this.refuse(name, name, error);
    }
    this.requestUpdate();
  }

  /** How the cells of a vector or matrix property are typed into: see views/matrix_input.ts. */
  protected cells(name: string): CellEditor {
    const key = (row: number, column: number): string => `${name}/${row}/${column}`;
    return {
      set: (row, column, value) => {
        this.problems.clear(key(row, column));
        this.#take(name, () => this.table[name]!.check(withCell(this.#state[name], row, column, value)), true);
        this.requestUpdate();
        this.#tellChange();
      },
      refuse: (row, column, parsed) => this.refuse(key(row, column), name, cellError(parsed, this.#state[name], row, column)),
      isRefused: (row, column) => this.problems.has(key(row, column)),
    };
  }

  /** Shows a refused input; `key` is the property or a part of it, "keys/0/1", and is cleared with it. */
  protected refuse(key: string, name: string, error: FieldError): void {
    this.#report(key, fieldProblem(this.language, this.labels[name] ?? name, error));
    this.requestUpdate();
  }

  #report(key: string, problem: Problem): void {
    this.problems.set(key, problem);
    this.fire('error', problem);
  }

  protected fire(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  // --- Life

  override attributeChangedCallback(name: string, old: string | null, text: string | null): void {
    super.attributeChangedCallback(name, old, text);
    const property = Object.keys(this.table).find((each) => attributeName(each) === name);
    if (property) this.#take(property, () => (text === null ? this.table[property]!.initial : this.table[property]!.parse(text)));
    if (name === 'predict') this.#predict.restart();
    if (frameAttributes.includes(name)) this.#readPage();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    takeOverOwnProperties(this, Object.keys(this.table));
    if (!this.hasUpdated) this.#authored = { ...this.#state };
    loadMathFont();
    this.#connection = new AbortController();
    this.#stops = [
      hostMarkerSource.subscribe(() => this.#readPage()),
      colorSchemeSource.subscribe(() => this.#readPage()),
      motionSource.subscribe(() => this.requestUpdate()),
      watchVisibility(this, (isNear) => this.#move(isNear)),
    ];
    this.#readPage();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#connection.abort();
    this.#stops.splice(0).forEach((stop) => stop());
    this.#announcer.cancel();
    this.#isStarting = false;
    this.#isNear = false;
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

  #readPage(): void {
    if (!this.isConnected) return;
    this.#theme = resolveTheme(this.getAttribute('theme'));
    const language = languageOf(this);
    void loadLanguage(language).then(() => {
      this.language = language;
      this.requestUpdate();
    });
    this.requestUpdate();
  }

  #move(isNear: boolean): void {
    this.#isNear = isNear;
    this.visibilityChanged(isNear);
    if (isNear && !this.engine && !this.#isStarting) void this.#start(this.connection);
    if (isNear && this.#isStale) this.requestUpdate();
  }

  /** For figures with long work of their own: pause and go on. */
  protected visibilityChanged(_isNear: boolean): void {}

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
      if (!signal.aborted) this.#report('start', computeProblem(this.language, error, true));
    } finally {
      if (!signal.aborted) this.#isStarting = false;
    }
    this.requestUpdate();
  }

  // --- Computing and showing

  /** Asks for a new result though no declared state changed. */
  protected invalidate(): void {
    this.#isStale = true;
    this.requestUpdate();
  }

  override willUpdate(_changed: PropertyValues): void {
    if (!this.engine || !this.#isStale || !this.#isNear) return;
    this.#isStale = false;
    try {
      this.result = this.compute(this.engine);
      this.problems.clear('compute');
      this.#isOutdated = false;
    } catch (error) {
      this.#isOutdated = true;
      this.#report('compute', computeProblem(this.language, error, false));
    }
  }

  override updated(_changed: PropertyValues): void {
    for (const [name, field] of Object.entries(this.table)) {
      const text = field.print(this.#state[name]);
      const isInitial = text === field.print(field.initial);
      const shown = this.getAttribute(attributeName(name));
      if (shown === null ? isInitial : this.#says(name, shown, text)) continue;
      if (isInitial) this.removeAttribute(attributeName(name));
      else this.setAttribute(attributeName(name), text);
    }
  }

  /** An attribute in another spelling, or refused, stays as its author wrote it until the value changes. */
  #says(name: string, shown: string, text: string): boolean {
    const field = this.table[name]!;
    try {
      return field.print(field.parse(shown)) === text;
    } catch {
      return this.problems.has(name);
    }
  }

  override render(): TemplateResult {
    const { result } = this;
    return html`<figure class="figure" data-theme=${this.#theme} lang=${this.language} aria-label=${this.t(this.titleKey)} data-hide=${this.getAttribute('hide') ?? nothing}>
      ${result === undefined ? html`<slot></slot>` : nothing}
      ${this.#alert()}
      ${result === undefined ? nothing : this.#body(result)}
    </figure>`;
  }

  #alert(): unknown {
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

  #announce(text: string): void {
    const live = this.renderRoot.querySelector('.live');
    if (live) live.textContent = text;
  }

  /** Words for numbers that are more than their digits, for the views. */
  protected get kindWords(): KindWords {
    return { masked: this.t('kit.masked'), zero: this.t('kit.zero'), nan: this.t('kit.nan') };
  }

  t(key: MessageKey, values?: MessageValues): string {
    return message(this.language, key, values);
  }

  /** A message whose values may be templates. */
  parts(key: MessageKey, values: MessageValues): unknown[] {
    return messageParts(this.language, key, values);
  }
}
