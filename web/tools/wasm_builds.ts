// SPDX-License-Identifier: MIT
// Resolves `#wasm/baseline` and `#wasm/relaxed` to the compiled core, and keeps each in a chunk of its own.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

export type WasmBuild = 'baseline' | 'relaxed';

export function wasmPath(build: WasmBuild): string {
  return fileURLToPath(new URL(`../../build/wasm-${build}/lookback_wasm.js`, import.meta.url));
}

export function wasmBuildsPlugin(): Plugin {
  return {
    name: 'lookback:wasm-builds',
    enforce: 'pre',
    resolveId(specifier) {
      const build = /^#wasm\/(baseline|relaxed)$/.exec(specifier)?.[1] as WasmBuild | undefined;
      if (build === undefined) return null;
      const path = wasmPath(build);
      if (!existsSync(path)) this.error(`${specifier}: build/wasm-${build}/lookback_wasm.js is missing; build the core first with ./dev build`);
      return path;
    },
  };
}

/** The name of the chunk that holds a module, when it has to be a certain one. */
export function wasmChunkName(id: string | null | undefined): string | undefined {
  const build = /wasm-(baseline|relaxed)[\\/]lookback_wasm\.js$/.exec(id ?? '')?.[1];
  return build && `wasm_${build}`;
}
