// SPDX-License-Identifier: MIT
// Page-wide signals shared by all figures: each source is listened to once, from its first subscriber to its last.

type Listener = () => void;

/** A set of listeners that opens its source for the first and closes it after the last. */
export class SharedSource {
  readonly #listeners = new Set<Listener>();
  #close: Listener | undefined;

  constructor(private readonly open: (notify: Listener) => Listener) {}

  subscribe(listener: Listener): Listener {
    this.#listeners.add(listener);
    this.#close ??= this.open(() => [...this.#listeners].forEach((each) => each()));
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#close?.();
      this.#close = undefined;
    };
  }
}

function mediaSource(query: string): SharedSource {
  return new SharedSource((notify) => {
    const media = matchMedia(query);
    media.addEventListener('change', notify);
    return () => media.removeEventListener('change', notify);
  });
}

const reducedMotionQuery = '(prefers-reduced-motion: reduce)';
const darkQuery = '(prefers-color-scheme: dark)';

export const motionSource = mediaSource(reducedMotionQuery);
export const colorSchemeSource = mediaSource(darkQuery);
export const isMotionReduced = (): boolean => matchMedia(reducedMotionQuery).matches;
export const isDarkPreferred = (): boolean => matchMedia(darkQuery).matches;

export const printSource = new SharedSource((notify) => {
  addEventListener('beforeprint', notify);
  return () => removeEventListener('beforeprint', notify);
});

/** Attributes by which known hosts say which theme or language they show. */
const markerAttributes = ['class', 'lang', 'dir', 'data-theme', 'data-bs-theme', 'data-md-color-scheme', 'data-jp-theme-light'];

/** Changes of those attributes on <html> and <body>; follows a <body> that a host replaces. */
export const hostMarkerSource = new SharedSource((notify) => {
  const observer = new MutationObserver((records) => {
    if (records.some((record) => record.type === 'childList')) observeBody();
    notify();
  });
  const options = { attributes: true, attributeFilter: markerAttributes };
  const observeBody = (): void => void (document.body && observer.observe(document.body, options));
  observer.observe(document.documentElement, { ...options, childList: true });
  observeBody();
  return () => observer.disconnect();
});
