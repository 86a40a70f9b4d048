// SPDX-License-Identifier: MIT
// Resolves `#wasm/baseline`, `#wasm/training/relaxed` and so on to the compiled core, and keeps each in a chunk of its own.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const files = { wasm: 'lookback_wasm.js', wasm_training: 'lookback_training_wasm.js' } as const;

export function wasmBuildsPlugin(): Plugin {
  return {
    name: 'lookback:wasm-builds',
    enforce: 'pre',
    resolveId(specifier) {
      const [, training, build] = /^#wasm\/(training\/)?(baseline|relaxed)$/.exec(specifier) ?? [];
      if (build === undefined) return null;
      const file = `build/wasm-${build}/${files[training ? 'wasm_training' : 'wasm']}`;
      const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
      if (!existsSync(path)) this.error(`${specifier}: ${file} is missing; build the core first with ./dev build`);
      return path;
    },
  };
}

/** The name of the chunk that holds a module, when it has to be a certain one. */
export function wasmChunkName(id: string | null | undefined): string | undefined {
  const [, build, file] = /wasm-(baseline|relaxed)[\\/](lookback_\w+\.js)$/.exec(id ?? '') ?? [];
  return build && `${file === files.wasm ? 'wasm' : 'wasm_training'}_${build}`;
}
