// SPDX-License-Identifier: MIT
// Registers a custom element once, however often the package is loaded.
import { version } from '../../package.json';

type VersionedConstructor = CustomElementConstructor & { lookbackVersion?: string };

/** A second copy of the package leaves the first in place, and says so when the versions differ. */
export function define(tag: string, constructor: CustomElementConstructor): void {
  const present = customElements.get(tag) as VersionedConstructor | undefined;
  if (!present) {
    (constructor as VersionedConstructor).lookbackVersion = version;
    customElements.define(tag, constructor);
  } else if (present !== constructor && present.lookbackVersion !== version) {
    console.warn(`<${tag}> is already defined by version ${present.lookbackVersion ?? 'unknown'}; version ${version} is not used.`);
  }
}
