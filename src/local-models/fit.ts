import type { DeviceFacts, Fit, LocalModel, LocalModelEntry } from '../core/local-model';
import { SPACE_RESERVE_BYTES } from './space';

const MIB = 1024 ** 2;

/** What the GPU engine's kernels are compiled for; with less it fails in the middle of a load. */
const GPU_NEEDS = {
  maxBufferSize: 256 * MIB,
  maxStorageBufferBindingSize: 128 * MIB,
  maxComputeWorkgroupStorageSize: 32_768,
  maxStorageBuffersPerShaderStage: 10,
} as const;
const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxStorageBuffersPerShaderStage',
] as const satisfies readonly (keyof DeviceFacts['limits'])[];

// A browser's word about memory ends at 8 GB in many versions: a device that says so may have any amount more.
const MOST_TOLD_BYTES = 8 * 1024 ** 3;
// Below that it is the nearest power of two, so that the truth may lie half as much above it.
const ROUNDING = 1.5;

/** Whether a model can run and be stored here, and in which precision; `storedBytes` of it are there already. The first obstacle counts. */
export function fitOf(model: LocalModel, device: DeviceFacts, storedBytes: number): Fit {
  return (
    engineFit(model, device) ??
    spaceFit(model, device, storedBytes) ?? { fits: true, precision: precisionOf(model, device), isSlow: isSlow(model, device) }
  );
}

function engineFit(model: LocalModel, device: DeviceFacts): Fit | null {
  if (model.engine === 'wllama') return device.hasCpuEngine ? null : { fits: false, reason: 'no-cpu-engine' };
  if (device.gpu === 'none') return { fits: false, reason: 'no-webgpu' };
  if (device.gpu === 'no-adapter') return { fits: false, reason: 'no-gpu' };
  const limit = LIMITS.find((name) => device.limits[name] < GPU_NEEDS[name]);
  if (limit !== undefined) return { fits: false, reason: 'gpu-limits', ...figuresOf(limit, device) };
  return precisionOf(model, device) === null && model.source.type === 'mlc' ? { fits: false, reason: 'shader-f16' } : null;
}

/** All but a number of buffers is bytes, and can be told as such. */
function figuresOf(limit: (typeof LIMITS)[number], { limits }: DeviceFacts): { readonly needBytes?: number; readonly haveBytes?: number } {
  return limit === 'maxStorageBuffersPerShaderStage' ? {} : { needBytes: GPU_NEEDS[limit], haveBytes: limits[limit] };
}

function spaceFit(model: LocalModel, device: DeviceFacts, storedBytes: number): Fit | null {
  const { memoryBytes, freeStorageBytes } = device;
  if (memoryBytes !== null && memoryBytes < MOST_TOLD_BYTES && model.memoryBytes > memoryBytes * ROUNDING) {
    return { fits: false, reason: 'memory', needBytes: model.memoryBytes, haveBytes: memoryBytes };
  }
  const missing = Math.max(0, (model.downloadBytes ?? 0) - storedBytes);
  if (freeStorageBytes === null || missing === 0 || missing + SPACE_RESERVE_BYTES <= freeStorageBytes) return null;
  return { fits: false, reason: 'storage', needBytes: missing, haveBytes: freeStorageBytes };
}

function precisionOf({ source }: LocalModel, { hasShaderF16 }: DeviceFacts): 'f16' | 'f32' | null {
  if (source.type !== 'mlc') return null;
  if (hasShaderF16 && source.f16 !== null) return 'f16';
  return source.f32 === null ? null : 'f32';
}

function isSlow({ engine }: LocalModel, { gpu }: DeviceFacts): boolean {
  return engine === 'web-llm' && gpu === 'software';
}

/** The largest model that needs less than this one and fits here; null where there is none. */
export function smallerThan(model: LocalModel, entries: readonly LocalModelEntry[]): LocalModel | null {
  const smaller = entries.filter((entry) => entry.fit.fits && !entry.fit.isSlow && entry.model.memoryBytes < model.memoryBytes);
  return smaller.reduce<LocalModel | null>(
    (best, entry) => (best === null || entry.model.memoryBytes > best.memoryBytes ? entry.model : best),
    null,
  );
}
