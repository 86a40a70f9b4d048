// SPDX-License-Identifier: MIT
// State as text: what differs from the defaults, in a versioned form that fits a URL and never throws when read.
import type { Field } from './fields.js';

export type StateTable = Readonly<Record<string, Field<any>>>;
export type StateOf<T extends StateTable> = { -readonly [K in keyof T]: T[K] extends Field<infer V> ? V : never };

/** A hash longer than this is not ours. */
const kLongestHash = 16384;
const version = 'lb1:';

export function initialState<T extends StateTable>(table: T): StateOf<T> {
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, field.initial])) as StateOf<T>;
}


// encodeURIComponent leaves "+", "~" and "_" free for the two commonest signs inside matrices.
function escapeText(text: string): string {
  return encodeURIComponent(text.toWellFormed?.() ?? text).replace(/~/g, '%7E').replace(/%3B%20/g, '~').replace(/%20/g, '+');
}

function unescapeText(text: string): string {
  return decodeURIComponent(text.replace(/\+/g, '%20').replace(/~/g, '%3B%20'));
}

/** `temperature=0.5&keys=1+0~0+1`: only what differs from `base`; empty when nothing does. */
export function encodeState<T extends StateTable>(table: T, state: StateOf<T>, base: Readonly<Record<string, unknown>> = initialState(table)): string {
  return Object.entries(table)
    .filter(([name, field]) => field.print(state[name]) !== field.print(base[name]))
    .map(([name, field]) => `${name}=${escapeText(field.print(state[name]))}`)
    .join('&');
}

/** What of `text` is known and valid; the rest is left out. */
export function decodeState<T extends StateTable>(table: T, text: string): Partial<StateOf<T>> {
  const found: Partial<StateOf<T>> = {};
  for (const part of text.split('&')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0));
    if (!Object.hasOwn(table, name)) continue;
    try {
      (found as Record<string, unknown>)[name] = table[name]!.parse(unescapeText(part.slice(at + 1)));
    } catch {
      // A damaged part of a shared link costs that part only.
    }
  }
  return found;
}

/** `#lb1:additive?temperature=0.5;self-attention?heads=2`: the state of each figure of a page by its id. */
export function encodePage(figures: ReadonlyMap<string, string>): string {
  const parts = [...figures].filter(([, state]) => state !== '').map(([id, state]) => `${encodeURIComponent(id)}?${state}`);
  return parts.length === 0 ? '' : version + parts.join(';');
}

/** The reverse of encodePage; empty for a hash that is not ours. */
export function decodePage(hash: string): Map<string, string> {
  const figures = new Map<string, string>();
  const text = hash.replace(/^#/, '');
  if (!text.startsWith(version) || text.length > kLongestHash) return figures;
  for (const part of text.slice(version.length).split(';')) {
    const at = part.indexOf('?');
    if (at <= 0) continue;
    try {
      figures.set(decodeURIComponent(part.slice(0, at)), part.slice(at + 1));
    } catch {
      // An id with broken escapes names no figure.
    }
  }
  return figures;
}
