// SPDX-License-Identifier: MIT
// Completes build/package: package.json without what only this folder needs, the README, and only those declarations that an entry reaches.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(here, '../../build/package');

function writeManifest() {
  const { scripts: _scripts, devDependencies: _devDependencies, ...manifest } = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8'));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Declaration files an entry needs, itself included. */
function reach(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
    const next = resolve(dirname(file), specifier.replace(/(\.js|\.ts)?$/, '.d.ts'));
    if (!existsSync(next)) throw new Error(`${file} imports ${specifier}, which has no declaration`);
    reach(next, found);
  }
  return found;
}

/** Removes the files of `folder` that are not in `kept`; true when nothing is left. */
function prune(folder, kept) {
  const rest = readdirSync(folder).filter((name) => {
    const path = join(folder, name);
    const isGone = statSync(path).isDirectory() ? prune(path, kept) : !kept.has(path);
    if (isGone) rmSync(path, { recursive: true });
    return !isGone;
  });
  return rest.length === 0;
}

const manifest = writeManifest();
copyFileSync(join(here, 'package_readme.md'), join(target, 'README.md'));
copyFileSync(join(here, '../src/kit/fonts/GUST-FONT-LICENSE.txt'), join(target, 'GUST-FONT-LICENSE.txt'));
const entries = Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'object' ? [join(target, entry.types)] : []));
const kept = new Set(entries.flatMap((entry) => [...reach(entry)]));
prune(join(target, 'types'), kept);
