import type { DeviceFacts } from '../core/local-model';

const NO_LIMITS: DeviceFacts['limits'] = {
  maxBufferSize: 0,
  maxStorageBufferBindingSize: 0,
  maxComputeWorkgroupStorageSize: 0,
  maxStorageBuffersPerShaderStage: 0,
};

/** The smallest module with a 64-bit memory: the CPU engine's build has one. */
const MEMORY64 = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 4, 1]);

/** What of a GPU's adapter is looked at. */
export interface AdapterFacts {
  readonly features: { has(name: string): boolean };
  readonly limits: DeviceFacts['limits'];
  readonly info?: unknown;
}

/** A worker's surroundings, as far as they say what can run here. Fields that not every browser has are looked for by name. */
export interface DeviceScope {
  readonly navigator: { readonly storage: Pick<StorageManager, 'estimate'>; readonly gpu?: GpuFacts };
  readonly WebAssembly: { validate(bytes: Uint8Array<ArrayBuffer>): boolean };
}

interface GpuFacts {
  requestAdapter(options: { readonly powerPreference: 'high-performance' }): Promise<AdapterFacts | null>;
}

/** What of this device decides which models can run. Asks the browser only; nothing is fetched. */
export async function readDevice(scope: DeviceScope): Promise<DeviceFacts> {
  const { navigator } = scope;
  const [adapter, free] = await Promise.all([adapterOf(navigator.gpu), freeBytes(navigator.storage)]);
  const memoryGigabytes = numberIn(navigator, 'deviceMemory');
  return {
    gpu: navigator.gpu === undefined ? 'none' : adapter === null ? 'no-adapter' : isSoftware(adapter) ? 'software' : 'hardware',
    hasShaderF16: adapter?.features.has('shader-f16') ?? false,
    limits: adapter === null ? NO_LIMITS : limitsOf(adapter.limits),
    memoryBytes: memoryGigabytes === null ? null : memoryGigabytes * 1024 ** 3,
    freeStorageBytes: free,
    saveData: 'connection' in navigator && hasTrue(navigator.connection, 'saveData'),
    hasCpuEngine: 'Suspending' in scope.WebAssembly && scope.WebAssembly.validate(MEMORY64),
  };
}

async function adapterOf(gpu: GpuFacts | undefined): Promise<AdapterFacts | null> {
  // A driver that fails is as good as none.
  return gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null) ?? null;
}

/** Browsers moved the word from the adapter to its description. */
function isSoftware(adapter: AdapterFacts): boolean {
  return hasTrue(adapter.info, 'isFallbackAdapter') || hasTrue(adapter, 'isFallbackAdapter');
}

function limitsOf(limits: DeviceFacts['limits']): DeviceFacts['limits'] {
  const { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize, maxStorageBuffersPerShaderStage } = limits;
  return { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize, maxStorageBuffersPerShaderStage };
}

async function freeBytes(storage: Pick<StorageManager, 'estimate'>): Promise<number | null> {
  // Where the browser keeps no storage for this page, everything else tells so.
  const { quota, usage } = await storage.estimate().catch((): StorageEstimate => ({}));
  return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
}

function numberIn(value: object, key: string): number | null {
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'number' ? found : null;
}

function hasTrue(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, key) === true;
}
