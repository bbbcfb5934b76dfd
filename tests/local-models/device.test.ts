import { expect, test } from 'vitest';
import type { DeviceFacts } from '../../src/core/local-model';
import { readDevice, type AdapterFacts, type DeviceScope } from '../../src/local-models/device';

const LIMITS = {
  maxBufferSize: 1,
  maxStorageBufferBindingSize: 2,
  maxComputeWorkgroupStorageSize: 3,
  maxStorageBuffersPerShaderStage: 4,
};
const ADAPTER: AdapterFacts = { features: new Set(['shader-f16']), limits: { ...LIMITS, ...{ maxTextureDimension2D: 9 } }, info: {} };
const NO_LIMITS = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, 0]));
const storage = { estimate: async () => ({ quota: 100, usage: 30 }) };
const gpuOf = (adapter: AdapterFacts | null) => ({ requestAdapter: async () => adapter });
const brokenGpu = { requestAdapter: async () => Promise.reject(new Error('lost')) };
const OLD = { validate: () => false };

test.each<[string, DeviceScope, Partial<Omit<DeviceFacts, 'limits'>> & { readonly limits?: object }]>([
  ['no WebGPU', { navigator: { storage }, WebAssembly: OLD }, { gpu: 'none', hasShaderF16: false, limits: NO_LIMITS }],
  ['no adapter', { navigator: { storage, gpu: gpuOf(null) }, WebAssembly: OLD }, { gpu: 'no-adapter', limits: NO_LIMITS }],
  ['a driver that fails', { navigator: { storage, gpu: brokenGpu }, WebAssembly: OLD }, { gpu: 'no-adapter' }],
  [
    'a GPU, with no more of its limits than are asked for',
    { navigator: { storage, gpu: gpuOf(ADAPTER) }, WebAssembly: OLD },
    { gpu: 'hardware', hasShaderF16: true, limits: LIMITS },
  ],
  [
    'a GPU without 16-bit arithmetic',
    { navigator: { storage, gpu: gpuOf({ ...ADAPTER, features: new Set<string>() }) }, WebAssembly: OLD },
    { gpu: 'hardware', hasShaderF16: false },
  ],
  [
    'a GPU that the CPU plays, by its description',
    { navigator: { storage, gpu: gpuOf({ ...ADAPTER, info: { isFallbackAdapter: true } }) }, WebAssembly: OLD },
    { gpu: 'software' },
  ],
  [
    'a GPU that the CPU plays, by its own word',
    { navigator: { storage, gpu: gpuOf({ ...ADAPTER, ...{ isFallbackAdapter: true } }) }, WebAssembly: OLD },
    { gpu: 'software' },
  ],
  [
    'memory, space and the wish to save data',
    { navigator: { storage, ...{ deviceMemory: 4, connection: { saveData: true } } }, WebAssembly: OLD },
    { memoryBytes: 4 * 1024 ** 3, freeStorageBytes: 70, saveData: true },
  ],
  [
    'a browser that tells nothing',
    { navigator: { storage }, WebAssembly: OLD },
    { memoryBytes: null, saveData: false, hasCpuEngine: false },
  ],
  [
    'a browser that keeps nothing',
    { navigator: { storage: { estimate: async () => Promise.reject(new TypeError('private')) } }, WebAssembly: OLD },
    { freeStorageBytes: null },
  ],
  [
    'promise integration without 64-bit memory',
    { navigator: { storage }, WebAssembly: { ...OLD, ...{ Suspending: class {} } } },
    { hasCpuEngine: false },
  ],
  ['64-bit memory without promise integration', { navigator: { storage }, WebAssembly: { validate: () => true } }, { hasCpuEngine: false }],
  ['both', { navigator: { storage }, WebAssembly: { validate: () => true, ...{ Suspending: class {} } } }, { hasCpuEngine: true }],
])('%s', async (_what, scope, expected) => {
  expect(await readDevice(scope)).toMatchObject(expected);
});

test('the faster GPU is asked for, and the module with 64-bit memory is a real one', async () => {
  const asked: unknown[] = [];
  const validated: Uint8Array[] = [];
  await readDevice({
    navigator: {
      storage,
      gpu: {
        requestAdapter: async (options) => {
          asked.push(options);
          return null;
        },
      },
    },
    WebAssembly: { validate: (bytes) => validated.push(bytes) > 0, ...{ Suspending: class {} } },
  });
  expect(asked).toEqual([{ powerPreference: 'high-performance' }]);
  // A header of eight bytes and one memory with the flag of 64 bits.
  expect([...(validated[0] ?? [])]).toEqual([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 4, 1]);
});
