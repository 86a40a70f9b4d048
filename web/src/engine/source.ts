// SPDX-License-Identifier: MIT
// Reading a file, a URL or bytes part by part, with every failure said in words.
import { LookbackError } from './errors.js';
import type { Progress, Source } from './types.js';

/** A source that can be sent to a worker. */
export type PlainSource = { url: string } | { blob: Blob } | { bytes: Uint8Array };

const PART_BYTES = 1 << 20;

/** Relative URLs are resolved here, where the page's own address is known. */
export function toPlainSource(name: string, source: Source): PlainSource {
  if (typeof source === 'string' || source instanceof URL) {
    try {
      return { url: new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href).href };
    } catch (cause) {
      throw new LookbackError('value', `${name}: '${source}' is not a URL`, { cause });
    }
  }
  if (typeof Blob !== 'undefined' && source instanceof Blob) return { blob: source };
  if (source instanceof ArrayBuffer) return { bytes: new Uint8Array(source) };
  if (ArrayBuffer.isView(source)) return { bytes: new Uint8Array(source.buffer, source.byteOffset, source.byteLength) };
  throw new LookbackError('value', `${name}: needs a File, a Blob, a URL or bytes`);
}

interface Parts {
  total: number | undefined;
  parts: AsyncIterable<Uint8Array>;
}

async function* partsOfBytes(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PART_BYTES) yield bytes.subarray(start, start + PART_BYTES);
}

async function* partsOfStream(stream: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const reader = stream.getReader();
  // A read of an aborted body may never settle.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  try {
    for (;;) {
      const part = await Promise.race([reader.read(), aborted]);
      if (part.done) return;
      yield part.value;
    }
  } finally {
    // Not awaited: an aborted body may never answer.
    void reader.cancel().catch(() => {});
  }
}

async function openUrl(url: string, signal: AbortSignal): Promise<Parts> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new LookbackError('network', `${url} answered ${response.status} ${response.statusText}`.trim());
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    throw new LookbackError('format', `${url} answered with an HTML page, not a model file`);
  }
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
  const parts = response.body ? partsOfStream(response.body, signal) : partsOfBytes(new Uint8Array(await response.arrayBuffer()));
  return { total: length === null ? undefined : Number(length), parts };
}

async function open(source: PlainSource, signal: AbortSignal): Promise<Parts> {
  if ('url' in source) return openUrl(source.url, signal);
  if ('blob' in source) return { total: source.blob.size, parts: partsOfStream(source.blob.stream(), signal) };
  return { total: source.bytes.length, parts: partsOfBytes(source.bytes) };
}

function explain(source: PlainSource, error: unknown, signal: AbortSignal): LookbackError {
  if (error instanceof LookbackError) return error;
  if (signal.aborted) return new LookbackError('aborted', 'loading was stopped');
  const what = 'url' in source ? source.url : 'the file';
  return new LookbackError('network', `${what} could not be read: ${error instanceof Error ? error.message : error}`, { cause: error });
}

/** Gives the parts to `accept`, which first learns the size, when it is known. */
export async function readParts(
  source: PlainSource,
  begin: (total: number | undefined) => (part: Uint8Array) => void,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { total, parts } = await open(source, signal);
    const accept = begin(total);
    const phase = 'url' in source ? 'fetch' : 'read';
    let loaded = 0;
    for await (const part of parts) {
      accept(part);
      loaded += part.length;
      onProgress(total === undefined ? { phase, loaded } : { phase, loaded, total });
      signal.throwIfAborted();
    }
    if (total !== undefined && loaded !== total) {
      throw new LookbackError('network', `${'url' in source ? source.url : 'the file'} ended after ${loaded} of ${total} bytes`);
    }
  } catch (error) {
    throw explain(source, error, signal);
  }
}
