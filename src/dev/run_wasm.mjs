// SPDX-License-Identifier: MIT
// Runs an Emscripten test program: node run_wasm.mjs PROGRAM.js [ARGUMENT...].
// Node 20 has relaxed SIMD behind a flag, later versions have it without and may not know the flag.
import { setFlagsFromString } from 'node:v8';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// (func (result v128) v128.const 0, v128.const 0, i8x16.relaxed_swizzle)
const zeroVector = [0xfd, 0x0c, ...Array(16).fill(0)];
const relaxedModule = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // header
  1, 5, 1, 0x60, 0, 1, 0x7b, // types
  3, 2, 1, 0, // functions
  10, 43, 1, 41, 0, ...zeroVector, ...zeroVector, 0xfd, 0x80, 0x02, 0x0b, // code
]);
if (!WebAssembly.validate(relaxedModule)) setFlagsFromString('--experimental-wasm-relaxed-simd');
if (!WebAssembly.validate(relaxedModule)) console.error('run_wasm: this Node.js has no relaxed SIMD');

process.argv.splice(1, 1);
process.argv[1] = resolve(process.argv[1]);
await import(pathToFileURL(process.argv[1]).href);
