// SPDX-License-Identifier: MIT
// lb.loadDecoder: a host is found, reads the file, and becomes a Decoder.
import { checkInteger } from './arrays.js';
import { type HostKind, connect, reporting } from './connect.js';
import { HostedDecoder } from './decoder.js';
import { DecoderHost } from './decoder_host.js';
import { LookbackError } from './errors.js';
import type { Build } from './module.js';
import { toPlainSource } from './source.js';
import type { LoadDecoderOptions, Source } from './types.js';

const decoderKind: HostKind<DecoderHost> = {
  name: 'decoder',
  script: () => new URL('../worker/worker.ts', import.meta.url),
  create: () => new DecoderHost(),
};

function backendReason(backend: LoadDecoderOptions['backend']): string {
  if (backend !== undefined && backend !== 'auto' && backend !== 'wasm' && backend !== 'webgpu') {
    throw new LookbackError('value', `loadDecoder: backend must be 'auto', 'wasm' or 'webgpu', got '${String(backend)}'`);
  }
  return backend === 'webgpu' ? 'Decoders run on WebAssembly in this version.' : '';
}

export async function loadDecoder(
  build: Build,
  source: Source,
  options: LoadDecoderOptions,
  onDispose: (decoder: HostedDecoder) => void,
): Promise<HostedDecoder> {
  const reason = backendReason(options.backend);
  const file = toPlainSource('loadDecoder: source', source);
  const tokenizer = options.tokenizer === undefined ? undefined : toPlainSource('loadDecoder: tokenizer', options.tokenizer);
  const context = options.context === undefined ? 0 : checkInteger('loadDecoder: context', options.context, 1);
  const { signal, onProgress = () => {} } = options;
  const checkAborted = (): void => {
    if (signal?.aborted) throw new LookbackError('aborted', 'loading was stopped');
  };
  checkAborted();
  const connection = await connect(decoderKind, options.worker !== false);
  const stop = (): void => void connection.host.abortLoad();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    checkAborted();
    const request = { build, source: file, tokenizer, context };
    const info = await reporting(connection.mode, onProgress, (reports) => connection.calls.run(() => connection.host.load(request, reports)));
    checkAborted();
    return new HostedDecoder(connection, info, reason, onDispose);
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
