// SPDX-License-Identifier: MIT
// The two lines that put a figure, as it is now, into another page.

// The package's files lie flat: this module's own address is the entry's neighbour.
const moduleUrl = import.meta.url;

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}

export function embedCode(figure: Element): string {
  const skipped = ['id', 'class', 'style', 'slot', 'theme'];
  const attributes = [...figure.attributes]
    .filter(({ name }) => !skipped.includes(name))
    .map(({ name, value }) => (value === '' ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`));
  const tag = figure.localName;
  return `<script type="module" src="${new URL('elements.js', moduleUrl).href}"></script>\n<${tag}${attributes.join('')}></${tag}>\n`;
}
