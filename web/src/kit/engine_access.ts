// SPDX-License-Identifier: MIT
// One engine for all figures of a page, loaded when the first of them comes near the viewport.
import type { Lookback } from '../engine/types.js';

let shared: Promise<Lookback> | undefined;

export function sharedEngine(): Promise<Lookback> {
  shared ??= import('../engine/index.js')
    .then(({ createLookback }) => createLookback())
    .catch((error: unknown) => {
      // The next figure that asks may have better luck: a flaky network is the common cause.
      shared = undefined;
      throw error;
    });
  return shared;
}
