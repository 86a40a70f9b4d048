// SPDX-License-Identifier: MIT
// Turns a figure's declared state into checked properties and attribute names.
import type { StateTable } from './state_codec.js';

/** `keyWidth` becomes `key-width`. */
export function attributeName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export interface StateHolder {
  readState(name: string): unknown;
  writeState(name: string, value: unknown): void;
}

/** Defines one accessor for each entry of the table; safe to call again. */
export function defineStateProperties(prototype: StateHolder, table: StateTable): void {
  for (const name of Object.keys(table)) {
    if (Object.hasOwn(prototype, name)) continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: StateHolder) {
        return this.readState(name);
      },
      set(this: StateHolder, value: unknown) {
        this.writeState(name, value);
      },
    });
  }
}

/** Values set before the element was upgraded hide the accessors: hands them over. */
export function takeOverOwnProperties(element: StateHolder, names: readonly string[]): void {
  const own = element as unknown as Record<string, unknown>;
  for (const name of names) {
    if (!Object.hasOwn(own, name)) continue;
    const value = own[name];
    delete own[name];
    own[name] = value;
  }
}
