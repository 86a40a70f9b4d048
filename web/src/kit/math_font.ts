// SPDX-License-Identifier: MIT
// The font of formulas. Many systems have none with a MATH table, and indices then sit on the line.

let isAsked = false;

function load(url: URL, weight: string): void {
  const font = new FontFace('Lookback Math', `url("${url.href}")`, { display: 'swap', weight });
  document.fonts.add(font);
  font.load().catch(() => document.fonts.delete(font));
}

/** Adds the font to the page once; a page that refuses it keeps the system's. */
export function loadMathFont(): void {
  if (isAsked) return;
  isAsked = true;
  load(new URL('./fonts/lookback_math.woff2', import.meta.url), '400');
  load(new URL('./fonts/lookback_math_bold.woff2', import.meta.url), '700');
}
