// SPDX-License-Identifier: MIT
// Which theme a figure wears: its own attribute, then the marks of known hosts, then the reader's system.
import { isDarkPreferred } from './page_watch.js';

export type Theme = 'light' | 'dark';

const darkClasses = ['dark', 'quarto-dark', 'coal', 'navy', 'ayu'];
const lightClasses = ['light', 'quarto-light', 'rust'];

function isTheme(text: string | null | undefined): text is Theme {
  return text === 'light' || text === 'dark';
}

function attributeMark(root: Element): Theme | undefined {
  for (const name of ['data-theme', 'data-bs-theme']) {
    const value = root.getAttribute(name);
    if (isTheme(value)) return value;
  }
  const scheme = root.getAttribute('data-md-color-scheme');
  if (scheme) return scheme === 'slate' ? 'dark' : 'light';
  const jupyter = root.getAttribute('data-jp-theme-light');
  if (jupyter) return jupyter === 'false' ? 'dark' : 'light';
  return undefined;
}

function hostMark(root: Element | null): Theme | undefined {
  if (!root) return undefined;
  if (darkClasses.some((name) => root.classList.contains(name))) return 'dark';
  return attributeMark(root) ?? (lightClasses.some((name) => root.classList.contains(name)) ? 'light' : undefined);
}

export function resolveTheme(own: string | null): Theme {
  if (isTheme(own)) return own;
  return hostMark(document.documentElement) ?? hostMark(document.body) ?? (isDarkPreferred() ? 'dark' : 'light');
}
