// SPDX-License-Identifier: MIT
// Copies text where the page is allowed to.

/** False when the browser or the page's origin does not allow it: then the text has to be shown for copying by hand. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
