// SPDX-License-Identifier: MIT
// Makes the fonts of src/kit/fonts: the letters and signs of our formulas out of TeX Gyre Pagella Math 1.632, and the bold
// letters of vectors out of TeX Gyre Pagella Bold 2.501.
// Usage: npm install --no-save subset-font@2.9.0 && node tools/math_font.mjs texgyrepagella-math.otf texgyrepagella-bold.otf
import { readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');
const greek = [...'αβγδεηθλμνπρστφψω'];
const greekItalic = greek.map((letter) => String.fromCodePoint(0x1d6fc + letter.codePointAt(0) - 0x3b1));
const lowerCase = range(0x61, 0x7a);
const signs = '()*+,-./0123456789=<>[]|{}~;:!\'’ \u210e·×−∑√∞∈⊤⋮⋯…⋅′≤≥≈\u2061\u2062\u2009';
const text = [range(0x41, 0x5a), lowerCase, range(0x1d434, 0x1d467), ...greek, ...greekItalic, signs].join('');

async function write(source, characters, name) {
  const font = await subsetFont(readFileSync(source), characters, { targetFormat: 'woff2', keepFeatures: [], noLayoutClosure: true });
  writeFileSync(new URL(`../src/kit/fonts/${name}`, import.meta.url), font);
}

await write(process.argv[2], text, 'lookback_math.woff2');
await write(process.argv[3], lowerCase, 'lookback_math_bold.woff2');
