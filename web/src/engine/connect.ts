// SPDX-License-Identifier: MIT
// Where a session lives: a worker, or this thread where none can be had.
import { type Remote, releaseProxy, transfer, wrap } from 'comlink';
import { Calls, type Reports, disposedError } from './calls.js';
import { LookbackError } from './errors.js';

const START_TIMEOUT_MS = 10_000;

interface TrustedTypesLike {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): unknown };
}

/** What a session needs of its host: it answers, and it can go. */
export interface Host {
  /** Answers once the thread is up. */
  hello(): string;
  dispose(): void;
}

export interface Connection<T extends Host> {
  host: T | Remote<T>;
  mode: 'worker' | 'slices';
  readonly calls: Calls;
  /** Ends the thread, or gives the memory back; calls that wait are ended too. */
  close(): void;
}

/** A kind of session: its name in messages, its worker's script, its host for this thread. */
export interface HostKind<T extends Host> {
  name: string;
  script: () => URL;
  create: () => T;
}

const scripts = new Set<string>();
let policy: { createScriptURL(url: string): unknown } | undefined;

/** A policy that lets through the workers' own URLs and nothing else; plain where Trusted Types are unknown. */
function scriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesLike };
  if (!trustedTypes) return url;
  scripts.add(url);
  policy ??= trustedTypes.createPolicy('lookback', {
    createScriptURL(candidate) {
      if (!scripts.has(candidate)) throw new TypeError('only the workers of Lookback');
      return candidate;
    },
  });
  return policy.createScriptURL(url) as string;
}

/** Throws when no worker starts: no Worker at all, another origin, a policy, an error inside. */
async function connectWorker<T extends Host>(kind: HostKind<T>): Promise<Connection<T>> {
  const worker = new Worker(scriptUrl(kind.script().href), { type: 'module' });
  const host = wrap<Host>(worker);
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
  worker.onerror = (event) => calls.end(new LookbackError('state', `${kind.name}: its worker failed: ${event.message ?? 'no reason given'}`));
  return {
    host: host as unknown as Remote<T>,
    mode: 'worker',
    calls,
    close() {
      calls.end(disposedError(kind.name));
      host[releaseProxy]();
      worker.terminate();
    },
  };
}

export async function connect<T extends Host>(kind: HostKind<T>, wantsWorker: boolean): Promise<Connection<T>> {
  if (wantsWorker && typeof Worker !== 'undefined') {
    try {
      return await connectWorker(kind);
    } catch {
      // The same work is done in slices on this thread.
    }
  }
  const host = kind.create();
  const calls = new Calls();
  const close = (): void => {
    calls.end(disposedError(kind.name));
    host.dispose();
  };
  return { host, mode: 'slices', calls, close };
}

/** Does work that reports; what `onProgress` throws is the caller's own, and no fault of the file. */
export async function reporting<P, T>(mode: Connection<Host>['mode'], onProgress: (progress: P) => void, work: (reports: Reports<P>) => Promise<T>): Promise<T> {
  const guarded = (progress: P): void => {
    try {
      onProgress(progress);
    } catch (error) {
      queueMicrotask(() => { throw error; });
    }
  };
  if (mode !== 'worker') return work(guarded);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<P>) => guarded(data);
  try {
    return await work(transfer(port2, [port2]));
  } finally {
    // The last reports may come after the answer. A port left open would keep its listener for as long as the page lives.
    setTimeout(() => port1.close(), 0);
  }
}
