// SPDX-License-Identifier: MIT
// The two lines that put a figure, as it is now, into another page.

// The package's files lie flat: this module's own address is the entry's neighbour.
const moduleUrl = import.meta.url;

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}

/** `names`: the attributes that belong to the figure; others are the page's affair. */
export function embedCode(figure: Element, names: readonly string[]): string {
  const attributes = [...figure.attributes]
    .filter(({ name }) => names.includes(name))
    .map(({ name, value }) => (value === '' ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`));
  const tag = figure.localName;
  return `<script type="module" src="${new URL('elements.js', moduleUrl).href}"></script>\n<${tag}${attributes.join('')}></${tag}>\n`;
}
