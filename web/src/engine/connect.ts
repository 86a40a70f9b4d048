// SPDX-License-Identifier: MIT
// Where a session lives: a worker, or this thread where none can be had.
import { proxy, releaseProxy, wrap } from 'comlink';
import { Calls, disposedError } from './calls.js';
import type { HostConnection } from './decoder.js';
import { DecoderHost } from './decoder_host.js';
import { LookbackError } from './errors.js';
import type { Progress } from './types.js';

const START_TIMEOUT_MS = 10_000;

interface TrustedTypesLike {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): unknown };
}

let policy: { createScriptURL(url: string): unknown } | undefined;

/** A policy that lets through the worker's own URL and nothing else; plain where Trusted Types are unknown. */
function scriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesLike };
  if (!trustedTypes) return url;
  policy ??= trustedTypes.createPolicy('lookback', {
    createScriptURL(candidate) {
      if (candidate !== url) throw new TypeError('only the worker of Lookback');
      return candidate;
    },
  });
  return policy.createScriptURL(url) as string;
}

/** Throws when no worker starts: no Worker at all, another origin, a policy, an error inside. */
async function connectWorker(): Promise<HostConnection> {
  const worker = new Worker(scriptUrl(new URL('../worker/worker.ts', import.meta.url).href), { type: 'module' });
  const host = wrap<DecoderHost>(worker);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await Promise.race([
      host.hello(),
      new Promise((_, reject) => {
        worker.onerror = () => reject(new Error('the worker did not start'));
        timer = setTimeout(() => reject(new Error('the worker did not answer')), START_TIMEOUT_MS);
      }),
    ]);
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const calls = new Calls();
  worker.onerror = (event) => calls.end(new LookbackError('state', `decoder: its worker failed: ${event.message ?? 'no reason given'}`));
  return {
    host,
    mode: 'worker',
    calls,
    close() {
      calls.end(disposedError());
      host[releaseProxy]();
      worker.terminate();
    },
  };
}

export async function connect(wantsWorker: boolean): Promise<HostConnection> {
  if (wantsWorker && typeof Worker !== 'undefined') {
    try {
      return await connectWorker();
    } catch {
      // The same work is done in slices on this thread.
    }
  }
  const host = new DecoderHost();
  const calls = new Calls();
  const close = (): void => {
    calls.end(disposedError());
    host.dispose();
  };
  return { host, mode: 'slices', calls, close };
}

/** A callback in the form that the host can call; what it throws is the caller's own, and no fault of the file. */
export function callback(connection: HostConnection, onProgress: (progress: Progress) => void): (progress: Progress) => void {
  const report = (progress: Progress): void => {
    try {
      onProgress(progress);
    } catch (error) {
      queueMicrotask(() => { throw error; });
    }
  };
  return connection.mode === 'worker' ? proxy(report) : report;
}
