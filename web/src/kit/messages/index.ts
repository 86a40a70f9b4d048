// SPDX-License-Identifier: MIT
// Finds a text by key in the language nearest to an element; other languages than English are loaded when used.
import { en, type Catalogue, type MessageKey } from './en/index.js';

export type { MessageKey } from './en/index.js';
export type MessageValues = Readonly<Record<string, unknown>>;

const loaders: Readonly<Record<string, () => Promise<{ catalogue: Catalogue }>>> = {
  fr: () => import('./fr/index.js'),
};
const loaded = new Map<string, Catalogue>([['en', en]]);

/** The language of the nearest `lang` attribute, across shadow roots, when we have it; else "en". */
export function languageOf(element: Element): string {
  for (let at: Element | null = element; at; ) {
    const holder: Element | null = at.closest('[lang]');
    if (holder) return known(holder.getAttribute('lang') ?? '');
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return 'en';
}

function known(tag: string): string {
  const language = tag.toLowerCase().split('-')[0] ?? '';
  return language in loaders ? language : 'en';
}

/** Resolves when texts of the language can be had; at once when they are here, and to English when they fail to load. */
export async function loadLanguage(language: string): Promise<void> {
  if (loaded.has(language)) return;
  if (!Object.hasOwn(loaders, language)) return;
  const module = await loaders[language]!().catch(() => undefined);
  if (module) loaded.set(language, module.catalogue);
}

function find(language: string, key: MessageKey): string {
  return loaded.get(language)?.[key] ?? en[key];
}

export function message(language: string, key: MessageKey, values: MessageValues = {}): string {
  return find(language, key).replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

/** The same in parts, so that a value may be a template: a formula in the middle of a sentence. */
export function messageParts(language: string, key: MessageKey, values: MessageValues): unknown[] {
  return find(language, key)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)));
}
