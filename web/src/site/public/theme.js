// SPDX-License-Identifier: MIT
// Sets the theme the reader chose before the page is painted.
try {
  const theme = localStorage.getItem('lookback-theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be closed to the page; the system's theme holds then.
}
