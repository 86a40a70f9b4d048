// SPDX-License-Identifier: MIT
// Where a session lives: a worker, or this thread where none can be had.
import { proxy, releaseProxy, wrap } from 'comlink';
import type { HostConnection } from './decoder.js';
import { DecoderHost } from './decoder_host.js';
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
    worker.onerror = null;
  }
  return {
    host,
    mode: 'worker',
    close() {
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
  return { host, mode: 'slices', close: () => host.dispose() };
}

/** A callback in the form that the host can call. */
export function callback(connection: HostConnection, onProgress: (progress: Progress) => void): (progress: Progress) => void {
  return connection.mode === 'worker' ? proxy(onProgress) : onProgress;
}
