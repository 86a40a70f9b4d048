// SPDX-License-Identifier: MIT
// Turns TeX into MathML while building: tex`...` in TypeScript and <tex-math>...</tex-math> in pages. Nothing of it runs in the browser.
import temml from 'temml';
import type { Plugin } from 'vite';

const taggedFormula = /\btex`([^`]*)`/g;
const pageFormula = /<tex-math( block)?>([^<]*)<\/tex-math>([,.;:)]?)/g;
const boldLetter = /<mi>([\u{1d400}-\u{1d433}])<\/mi>/gu;

/** Letters of the bold mathematical alphabet as plain letters with a class, since few system fonts hold that alphabet. */
function plainBold(_: string, letter: string): string {
  const index = letter.codePointAt(0)! - 0x1d400;
  const plain = String.fromCharCode(index < 26 ? 65 + index : 97 + index - 26);
  return `<mi mathvariant="normal" class="bold">${plain}</mi>`;
}

/** MathML without style attributes, which a strict content security policy refuses. */
export function mathml(formula: string, block = false): string {
  return temml
    .renderToString(formula, { displayMode: block, throwOnError: true })
    .replace(/ (style|class)="[^"]*"/g, '')
    .replace(/<mrow><\/mrow>/g, '')
    .replace(boldLetter, plainBold);
}

function decodeEntities(text: string): string {
  return text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
}

/** A line must not break between a formula and the comma after it. */
function withMark(formula: string, mark: string): string {
  return mark === '' ? formula : `<span class="unbroken">${formula}${mark}</span>`;
}

export function mathmlPlugin(): Plugin {
  return {
    name: 'lookback:mathml',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.ts') || !/\btex`/.test(code)) return null;
      const body = code.replace(taggedFormula, (_, formula: string) => `formulaTemplate\`${mathml(formula)}\``);
      return { code: `import { html as formulaTemplate } from 'lit';\n${body}`, map: null };
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (page) => page.replace(pageFormula, (_, block: string | undefined, formula: string, mark: string) => withMark(mathml(decodeEntities(formula), Boolean(block)), mark)),
    },
  };
}
