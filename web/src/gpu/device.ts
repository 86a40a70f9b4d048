// SPDX-License-Identifier: MIT
// Finds a WebGPU device; says why there is none instead of throwing.

export type DeviceProbe = { device: GPUDevice; adapter: string } | { reason: string };

/** Asks `gpu` for an adapter and a device with the adapter's buffer limits and no optional feature. */
export async function openDevice(gpu: GPU | undefined, timeoutMs: number): Promise<DeviceProbe> {
  if (!gpu) return { reason: absenceReason() };
  try {
    const adapter = await within(gpu.requestAdapter({ powerPreference: 'high-performance' }), timeoutMs, 'requestAdapter');
    if (!adapter) return { reason: 'WebGPU is here, but the browser offers no adapter (requestAdapter gave null).' };
    const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
    const pending = adapter.requestDevice({ requiredLimits: { maxStorageBufferBindingSize, maxBufferSize } });
    const device = await within(pending, timeoutMs, 'requestDevice', (late) => late.destroy());
    return { device, adapter: describe(adapter) };
  } catch (error) {
    return { reason: `No WebGPU device: ${messageOf(error)}` };
  }
}

/** The promise's result, or an error after `timeoutMs`; a result that comes later is given to `discard`. */
export async function within<T>(promise: Promise<T>, timeoutMs: number, what: string, discard?: (late: T) => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let expired = false;
  promise.then((late) => { if (expired) discard?.(late); }, () => {});
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      expired = true;
      reject(new Error(`${what} did not answer in ${timeoutMs} ms`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function absenceReason(): string {
  // Browsers hide WebGPU on plain http pages; localhost counts as secure.
  if (typeof isSecureContext === 'boolean' && !isSecureContext) return 'WebGPU needs a secure page (https or localhost).';
  return 'This browser has no WebGPU (navigator.gpu is missing).';
}

function describe(adapter: GPUAdapter): string {
  const { vendor, architecture, device, description } = adapter.info;
  const software = adapter.info.isFallbackAdapter ? ['(software)'] : [];
  return [description || [vendor, architecture, device].filter(Boolean).join(' ') || 'unnamed adapter', ...software].join(' ');
}
