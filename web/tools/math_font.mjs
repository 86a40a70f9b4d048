// SPDX-License-Identifier: MIT
// Makes src/kit/fonts/lookback_math.woff2, the letters and signs of our formulas out of TeX Gyre Pagella Math 1.632.
// Usage: npm install --no-save subset-font@2.9.0 && node tools/math_font.mjs texgyrepagella-math.otf
import { readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');
const greek = [...'αβγδεηθλμνπρστφψω'];
const greekItalic = greek.map((letter) => String.fromCodePoint(0x1d6fc + letter.codePointAt(0) - 0x3b1));
const signs = '()*+,-./0123456789=<>[]|{}~;:!\'’ \u210e·×−∑√∞∈⊤⋮⋯…⋅′≤≥≈\u2061\u2062\u2009';
const text = [range(0x41, 0x5a), range(0x61, 0x7a), range(0x1d434, 0x1d467), ...greek, ...greekItalic, signs].join('');

const font = await subsetFont(readFileSync(process.argv[2]), text, { targetFormat: 'woff2', keepFeatures: [], noLayoutClosure: true });
writeFileSync(new URL('../src/kit/fonts/lookback_math.woff2', import.meta.url), font);
