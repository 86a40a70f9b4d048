// SPDX-License-Identifier: MIT
// The model that comes with the package; web/models/README.md says how it was trained.
import type { Chosen } from './decoder_model.js';

/** For a label; the file itself is measured where it is read. */
export const ownModelMegabytes = 1.6;

export function ownModel(): Chosen {
  return { model: { name: 'stories.gguf', source: new URL('../../models/stories.gguf', import.meta.url).href } };
}

export const isOwnModel = ({ model }: Chosen): boolean => model?.source === ownModel().model?.source;

/** Whether the reader's browser asks pages to load little. */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
