// SPDX-License-Identifier: MIT
// Tells figures when they come near the viewport and when they leave it, with one observer for the page.
import { printSource } from './page_watch.js';

type Report = (isNear: boolean) => void;

const reports = new Map<Element, Report>();
let observer: IntersectionObserver | undefined;
let stopPrint: (() => void) | undefined;

function open(): IntersectionObserver {
  // Paper has no viewport: everything is near when the page is printed.
  stopPrint = printSource.subscribe(() => reports.forEach((report) => report(true)));
  return new IntersectionObserver((entries) => entries.forEach((entry) => reports.get(entry.target)?.(entry.isIntersecting)), {
    rootMargin: '400px 0px',
  });
}

/** Calls `report` now and at each change until the function returned is called. */
export function watchVisibility(element: Element, report: Report): () => void {
  observer ??= open();
  reports.set(element, report);
  observer.observe(element);
  return () => {
    reports.delete(element);
    observer?.unobserve(element);
    if (reports.size > 0) return;
    observer?.disconnect();
    stopPrint?.();
    observer = undefined;
  };
}
