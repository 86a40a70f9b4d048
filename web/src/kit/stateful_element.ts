// SPDX-License-Identifier: MIT
// The half of a figure that knows nothing of the engine: declared state as properties, attributes and text; refused input; messages.
import { LitElement, type PropertyValues } from 'lit';
import { cellError, withCell, type CellEditor } from './cell_editor.js';
import { FieldError } from './fields.js';
import { languageOf, loadLanguage, message, messageParts, type MessageKey, type MessageValues } from './messages/index.js';
import { fieldProblem, ProblemList, type Problem } from './problems.js';
import { decodeState, encodeState, initialState, type StateOf, type StateTable } from './state_codec.js';
import { attributeName, defineStateProperties, takeOverOwnProperties, type StateHolder } from './state_properties.js';

export abstract class StatefulElement extends LitElement implements StateHolder {
  /** The state a subclass declares; each entry becomes a property and an attribute. */
  static readonly table: StateTable = {};

  static override get observedAttributes(): string[] {
    defineStateProperties(this.prototype, this.table);
    return [...super.observedAttributes, ...Object.keys(this.table).map(attributeName), 'lang'];
  }

  /** Symbol of each property in error messages: { keys: 'h' }. */
  protected readonly labels: Readonly<Record<string, string>> = {};
  protected language = 'en';
  protected readonly problems = new ProblemList();
  /** The state is newer than what is shown of it. */
  protected isStale = true;

  readonly #state: Record<string, unknown> = initialState(this.table);
  /** What the page's author set; the reader's changes are measured from here. */
  #authored: Record<string, unknown> = { ...this.#state };

  get table(): StateTable {
    return (this.constructor as typeof StatefulElement).table;
  }

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

  /** Back to what the page's author set. */
  reset(): void {
    for (const key of ['compute', ...Object.keys(this.table)]) this.problems.clear(key);
    this.edit(this.#authored);
  }

  /** Takes changes made by the reader, then fires `change`. */
  protected edit(changes: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(changes)) this.writeState(name, value);
    this.#tellChange();
  }

  #tellChange(): void {
    void this.updateComplete.then(() => {
      this.fire('change', { state: { ...this.#state } });
      this.edited();
    });
  }

  /** Called when a change by the reader has been shown. */
  protected edited(): void {}

  #take(name: string, read: () => unknown, keepsParts = false): void {
    try {
      const value = read();
      const isSame = this.table[name]!.print(value) === this.table[name]!.print(this.#state[name]);
      if (isSame && !this.problems.has(name)) return;
      if (keepsParts) this.problems.clearOnly(name);
      else this.problems.clear(name);
      this.#state[name] = value;
      this.isStale ||= !isSame;
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      this.refuse(name, name, error);
    }
    this.requestUpdate();
  }

  /** How the cells of a number, vector or matrix property are typed into: see views/matrix_input.ts. */
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
    this.report(key, fieldProblem(this.language, this.labels[name] ?? name, error));
  }

  protected report(key: string, problem: Problem): void {
    this.problems.set(key, problem);
    this.fire('error', problem);
    this.requestUpdate();
  }

  protected fire(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  override attributeChangedCallback(name: string, old: string | null, text: string | null): void {
    super.attributeChangedCallback(name, old, text);
    const property = Object.keys(this.table).find((each) => attributeName(each) === name);
    if (property) this.#take(property, () => (text === null ? this.table[property]!.initial : this.table[property]!.parse(text)));
    if (name === 'lang') this.readLanguage();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    takeOverOwnProperties(this, Object.keys(this.table));
    if (!this.hasUpdated) this.#authored = { ...this.#state };
    this.readLanguage();
  }

  protected readLanguage(): void {
    if (!this.isConnected) return;
    const language = languageOf(this);
    void loadLanguage(language).then(() => {
      if (languageOf(this) !== language) return;
      this.language = language;
      this.requestUpdate();
    });
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

  t(key: MessageKey, values?: MessageValues): string {
    return message(this.language, key, values);
  }

  /** A message whose values may be templates. */
  parts(key: MessageKey, values: MessageValues): unknown[] {
    return messageParts(this.language, key, values);
  }
}
