// SPDX-License-Identifier: MIT
// Which files a first visit loads: static imports, and of the dynamic ones only those that the first figure needs.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const staticImport = /(?:from|import)\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g;
const dynamicImport = /import\(\s*["'`](\.{1,2}\/[^"'`]+)["'`]\s*\)/g;

/** Not languages, exports, a decoder's parts or the core, of which a browser loads one build of two. */
const isFirst = (specifier: string): boolean => /\/(register|lookback)\b/.test(specifier) && !/wasm/.test(specifier);

export function firstModules(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  const code = readFileSync(path, 'utf8');
  const specifiers = [
    ...[...code.matchAll(staticImport)].map(([, each]) => each!),
    ...[...code.matchAll(dynamicImport)].map(([, each]) => each!).filter(isFirst),
  ];
  for (const each of specifiers) firstModules(resolve(dirname(path), each), found);
  return found;
}
