// SPDX-License-Identifier: MIT
// What is wrong with a figure's inputs at the moment, in words that name the place.
import { FieldError } from './fields.js';
import { message } from './messages/index.js';

export interface Problem {
  /** LookbackError codes, or 'value' for a refused field. */
  code: string;
  /** Field and place: "U_a, row 1, column 2"; empty when the message says it. */
  where: string;
  message: string;
}

export function fieldProblem(language: string, label: string, error: FieldError): Problem {
  const { row, column, text = '', limit = '' } = error.detail;
  const places = [label];
  if (row !== undefined) places.push(message(language, 'kit.row', { row }));
  if (column !== undefined) places.push(message(language, 'kit.column', { column }));
  const where = places.join(', ');
  const what = message(language, `error.${error.problem}`, { text: shorten(text), limit });
  return { code: 'value', where, message: message(language, 'error.field', { where, what }) };
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

export function computeProblem(language: string, error: unknown, atStart: boolean): Problem {
  const text = error instanceof Error ? error.message : String(error);
  const code = (error as { code?: unknown } | null)?.code;
  return {
    code: typeof code === 'string' ? code : 'environment',
    where: '',
    message: message(language, atStart ? 'error.start' : 'error.compute', { message: text }),
  };
}

/** Problems by field, newest first to be shown; a field that is good again forgets its own. */
export class ProblemList {
  readonly #byKey = new Map<string, Problem>();

  get first(): Problem | undefined {
    return [...this.#byKey.values()].at(-1);
  }

  /** Whether `key` or a part of it has a problem. */
  has(key: string): boolean {
    return [...this.#byKey.keys()].some((each) => each === key || each.startsWith(`${key}/`));
  }

  set(key: string, problem: Problem): void {
    this.#byKey.delete(key);
    this.#byKey.set(key, problem);
  }

  clearOnly(key: string): void {
    this.#byKey.delete(key);
  }

  /** Forgets the problem of `key` and of its parts, `key/...`. */
  clear(key: string): void {
    for (const each of this.#byKey.keys()) if (each === key || each.startsWith(`${key}/`)) this.#byKey.delete(each);
  }
}
