import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { describe, expect, test } from 'vitest';
import type { DeviceFacts, Fit, LocalModelEntry } from '../../src/core/local-model';
import { CATALOGUE, customModel, modelFromFile } from '../../src/local-models/catalogue';
import { fitOf, smallerThan } from '../../src/local-models/fit';
import { SPACE_RESERVE_BYTES } from '../../src/local-models/space';
import { cpuModel, DEVICE, GPU_MODEL } from '../support/local-host';

describe('whether a model fits', () => {
  const small = { ...DEVICE.limits, maxStorageBufferBindingSize: 64 * 1024 ** 2 };
  test.each<[string, typeof GPU_MODEL, Partial<DeviceFacts>, Partial<Fit>]>([
    ['a GPU with 16-bit arithmetic takes the smaller twin', GPU_MODEL, {}, { fits: true, precision: 'f16', isSlow: false }],
    ['one without it the other twin', GPU_MODEL, { hasShaderF16: false }, { fits: true, precision: 'f32' }],
    ['a software GPU works, slowly', GPU_MODEL, { gpu: 'software' }, { fits: true, isSlow: true }],
    ['no WebGPU', GPU_MODEL, { gpu: 'none' }, { fits: false, reason: 'no-webgpu' }],
    ['no GPU', GPU_MODEL, { gpu: 'no-adapter' }, { fits: false, reason: 'no-gpu' }],
    [
      'a limit that is too small, with its figures',
      GPU_MODEL,
      { limits: small },
      { fits: false, reason: 'gpu-limits', needBytes: 128 * 1024 ** 2, haveBytes: 64 * 1024 ** 2 },
    ],
    ['a CPU model needs no GPU', cpuModel('a'), { gpu: 'none' }, { fits: true, precision: null, isSlow: false }],
    ['but a recent browser', cpuModel('a'), { hasCpuEngine: false }, { fits: false, reason: 'no-cpu-engine' }],
    ['too little memory', cpuModel('a', 3.1e9), { memoryBytes: 2e9 }, { fits: false, reason: 'memory', needBytes: 3.1e9, haveBytes: 2e9 }],
    ['memory that was rounded down may be enough', cpuModel('a', 2.9e9), { memoryBytes: 2e9 }, { fits: true }],
    ['the most memory that a browser tells may be more', cpuModel('a', 20e9), { memoryBytes: 8 * 1024 ** 3 }, { fits: true }],
    ['memory that nobody told', cpuModel('a', 20e9), { memoryBytes: null }, { fits: true }],
    [
      'too little space to leave some',
      cpuModel('a'),
      { freeStorageBytes: SPACE_RESERVE_BYTES + 99 },
      { fits: false, reason: 'storage', needBytes: 100, haveBytes: SPACE_RESERVE_BYTES + 99 },
    ],
    ['just enough space', cpuModel('a'), { freeStorageBytes: SPACE_RESERVE_BYTES + 100 }, { fits: true }],
    ['space that nobody told', cpuModel('a'), { freeStorageBytes: null }, { fits: true }],
  ])('%s', (_what, model, device, expected) => {
    expect(fitOf(model, { ...DEVICE, ...device }, 0)).toMatchObject(expected);
  });

  test('a model without a twin for this GPU does not fit', () => {
    const model = { ...GPU_MODEL, source: { type: 'mlc', f16: 'only-f16', f32: null } } as const;
    expect(fitOf(model, { ...DEVICE, hasShaderF16: false }, 0)).toEqual({ fits: false, reason: 'shader-f16' });
  });

  test('what is there already needs no more space, even on a full disk', () => {
    expect(fitOf(cpuModel('a'), { ...DEVICE, freeStorageBytes: SPACE_RESERVE_BYTES + 60 }, 50)).toMatchObject({ fits: true });
    expect(fitOf(cpuModel('a'), { ...DEVICE, freeStorageBytes: 0 }, 100)).toMatchObject({ fits: true });
  });

  test('the first obstacle is the one that is told', () => {
    const everything = { ...DEVICE, limits: small, hasShaderF16: false, memoryBytes: 1, freeStorageBytes: 0 };
    const model = { ...GPU_MODEL, source: { type: 'mlc', f16: 'only-f16', f32: null } } as const;
    const told = [
      { ...everything, gpu: 'none' },
      { ...everything, gpu: 'no-adapter' },
      everything,
      { ...everything, limits: DEVICE.limits },
      { ...everything, limits: DEVICE.limits, hasShaderF16: true },
      { ...everything, limits: DEVICE.limits, hasShaderF16: true, memoryBytes: null },
    ] as const;
    const reasons = told.map((device) => {
      const fit = fitOf(model, device, 0);
      return fit.fits ? null : fit.reason;
    });
    expect(reasons).toEqual(['no-webgpu', 'no-gpu', 'gpu-limits', 'shader-f16', 'memory', 'storage']);
  });

  test('a number of buffers is not told as bytes', () => {
    const limits = { ...DEVICE.limits, maxStorageBuffersPerShaderStage: 8 };
    expect(fitOf(GPU_MODEL, { ...DEVICE, limits }, 0)).toEqual({ fits: false, reason: 'gpu-limits' });
  });

  test('the smaller model that is named is the largest below it that fits', () => {
    const entry = (id: string, memoryBytes: number, fits: boolean): LocalModelEntry => ({
      model: cpuModel(id, memoryBytes),
      status: { type: 'absent' },
      fit: fits ? { fits, precision: null, isSlow: false } : { fits, reason: 'memory' },
      tokensPerSecond: null,
      hasCrashed: false,
    });
    const entries = [entry('a', 1, true), entry('b', 2, true), entry('c', 3, false), entry('d', 4, true)];
    expect(smallerThan(cpuModel('d', 4), entries)?.id).toBe('b');
    expect(smallerThan(cpuModel('a', 1), entries)).toBeNull();
  });
});

describe('the catalogue', () => {
  test('ids are unique, and the GPU engine’s package knows every record', () => {
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
    const records = new Map(prebuiltAppConfig.model_list.map((record) => [record.model_id, record]));
    for (const { source, memoryBytes } of CATALOGUE) {
      if (source.type !== 'mlc') continue;
      const f16 = records.get(source.f16 ?? '');
      expect(f16, source.f16 ?? '').toBeDefined();
      if (source.f32 !== null) expect(records.has(source.f32), source.f32).toBe(true);
      expect(Math.abs(memoryBytes / 1024 ** 2 - (f16?.vram_required_MB ?? 0))).toBeLessThan(2);
    }
  });

  test('the smallest comes first for each engine, and everything has a licence, a language and a size', () => {
    for (const engine of ['web-llm', 'wllama']) {
      const sizes = CATALOGUE.filter((model) => model.engine === engine).map(({ memoryBytes }) => memoryBytes);
      expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    }
    for (const { id, licence, languages, downloadBytes } of CATALOGUE) {
      expect(licence?.url, id).toMatch(/^https:\/\//);
      expect(languages.length, id).toBeGreaterThan(0);
      expect(downloadBytes ?? 0, id).toBeGreaterThan(5e7);
    }
  });

  test('no model of the CPU engine is larger than a GB or so', () => {
    for (const { downloadBytes } of CATALOGUE.filter(({ engine }) => engine === 'wllama')) expect(downloadBytes).toBeLessThan(1.1e9);
  });

  test('every file of a CPU model lies at the hub', () => {
    for (const { source } of CATALOGUE) {
      if (source.type !== 'gguf') continue;
      for (const { url } of source.files) expect(url).toMatch(/^https:\/\/huggingface\.co\/[^/]+\/[^/]+\/resolve\/main\/[^/]+\.gguf$/);
    }
  });
});

describe('a model of the user’s own', () => {
  test('by its address', () => {
    expect(customModel(' https://example.org/some/Model-Q4.gguf?download=true ')).toMatchObject({
      id: 'url:https://example.org/some/Model-Q4.gguf?download=true',
      engine: 'wllama',
      name: 'Model-Q4',
      source: { type: 'gguf', files: [{ url: 'https://example.org/some/Model-Q4.gguf?download=true', bytes: null, sha256: null }] },
    });
  });

  test('in parts', () => {
    const { source } = customModel('https://example.org/m-00001-of-00003.gguf');
    expect(source.type === 'gguf' ? source.files.map(({ url }) => url) : []).toEqual([
      'https://example.org/m-00001-of-00003.gguf',
      'https://example.org/m-00002-of-00003.gguf',
      'https://example.org/m-00003-of-00003.gguf',
    ]);
  });

  test('in parts, whichever of them was given, is one model with one name', () => {
    const [second, first] = ['2', '1'].map((part) => customModel(`https://example.org/m-0000${part}-of-00002.gguf?token=a`));
    expect(second).toEqual(first);
    expect(second).toMatchObject({ id: 'url:https://example.org/m-00001-of-00002.gguf?token=a', name: 'm' });
    expect(second?.source.type === 'gguf' ? second.source.files.map(({ url }) => url.slice(-29)) : []).toEqual([
      'm-00001-of-00002.gguf?token=a',
      'm-00002-of-00002.gguf?token=a',
    ]);
  });

  test('by the hub’s page of the file', () => {
    expect(customModel('https://huggingface.co/owner/repo/blob/main/sub/Model.gguf#copy')).toMatchObject({
      source: { files: [{ url: 'https://huggingface.co/owner/repo/resolve/main/sub/Model.gguf' }] },
    });
  });

  test('with a name that is not well written', () => {
    expect(customModel('https://example.org/100%.gguf').name).toBe('100%');
    expect(customModel('https://example.org/My%20model.gguf').name).toBe('My model');
  });

  test.each([
    '',
    'model.gguf',
    'https://huggingface.co/mlc-ai/SmolLM2-360M-Instruct-q4f16_1-MLC',
    'https://user:secret@example.org/model.gguf',
    'https://example.org/m-00001-of-00000.gguf',
    'https://example.org/m-00001-of-99999.gguf',
    'https://example.org/model.bin',
    'http://example.org/model.gguf',
    'ftp://example.org/model.gguf',
    'javascript:x.gguf',
  ])('%s is refused', (address) => {
    expect(() => customModel(address)).toThrow(expect.objectContaining({ code: 'address-invalid' }));
  });

  test('plain http is enough on this machine', () => {
    expect(customModel('http://localhost:8080/model.gguf').name).toBe('model');
  });

  test('from a file', () => {
    expect(modelFromFile('Mine.gguf', 5e8)).toMatchObject({
      id: 'file:Mine.gguf',
      name: 'Mine',
      downloadBytes: 5e8,
      source: { type: 'file', name: 'Mine.gguf' },
    });
  });
});
