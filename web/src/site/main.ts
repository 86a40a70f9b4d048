// SPDX-License-Identifier: MIT
// Wires the page: figures' state in the URL, the theme button, the name of the core's build in the footer.
import type { LookbackFigure } from '../elements/types.js';
import { decodePage, encodePage } from '../kit/state_codec.js';
import './site.css';

const figures = [...document.querySelectorAll<LookbackFigure>('[data-figure]')];

function writeHash(): void {
  const states = new Map(figures.map((figure) => [figure.id, figure.saveState?.() ?? '']));
  const hash = encodePage(states);
  // replaceState keeps the reader's way back free of one entry for each keystroke.
  history.replaceState(null, '', hash === '' ? `${location.pathname}${location.search}` : `#${hash}`);
}

function readHash(): void {
  const states = decodePage(location.hash);
  if (states.size === 0) return;
  for (const figure of figures) figure.loadState?.(states.get(figure.id) ?? '');
}

function linkTo(figure: LookbackFigure): string {
  return `${location.origin}${location.pathname}#${encodePage(new Map([[figure.id, figure.saveState()]])) || figure.id}`;
}

function startFigures(): void {
  for (const figure of figures) {
    void customElements.whenDefined(figure.localName).then(() => {
      figure.link = () => linkTo(figure);
      figure.loadState(decodePage(location.hash).get(figure.id) ?? '');
    });
  }
  document.addEventListener('change', (event) => {
    if (figures.includes(event.target as LookbackFigure)) writeHash();
  });
  addEventListener('hashchange', readHash);
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function startThemeButton(button: HTMLButtonElement): void {
  const show = (): void => void (button.textContent = isDark() ? 'Light' : 'Dark');
  button.hidden = false;
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem('lookback-theme', theme);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    show();
  });
  show();
}

/** The footer names the build once a figure runs on it. */
function showBuild(holder: HTMLElement): void {
  const timer = setInterval(() => {
    const build = figures.find((figure) => figure.build)?.build;
    if (!build) return;
    clearInterval(timer);
    holder.textContent = holder.dataset[build] ?? '';
  }, 500);
}

startFigures();
startThemeButton(document.querySelector<HTMLButtonElement>('#theme')!);
showBuild(document.querySelector<HTMLElement>('#build')!);
