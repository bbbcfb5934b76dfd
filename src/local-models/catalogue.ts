import { AppError } from '../core/errors';
import type { LocalModel } from '../core/local-model';
import { isLoopback } from '../outbound/address';
import { fileNameOf } from './model-request';

const MIB = 1024 ** 2;
const APACHE = { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' } as const;
const LLAMA = { name: 'Llama 3.2 Community License', url: 'https://www.llama.com/llama3_2/license/' } as const;
const GEMMA = { name: 'Gemma Terms of Use', url: 'https://ai.google.dev/gemma/terms' } as const;
const LLAMA_LANGUAGES = ['en', 'de', 'fr', 'it', 'pt', 'hi', 'es', 'th'] as const;

/** The window that the GPU engine's records are compiled for. */
const GPU_CONTEXT = 4096;
/** Enough for a conversation, and little enough for the memory of a phone. */
const CPU_CONTEXT = 4096;
// Weights of 4 bits with their scales take about 0.56 bytes a parameter.
const BYTES_A_PARAMETER = 0.56;
// The CPU engine keeps the whole file in memory, and beside it the window and its own buffers.
const CPU_OVERHEAD_BYTES = 300 * MIB;

type Words = Pick<LocalModel, 'id' | 'name' | 'languages' | 'licence'> & { readonly reasoning?: true };

function gpu(words: Words, f16: string, f32: string | null, parameters: number, memoryMib: number): LocalModel {
  return {
    reasoning: false,
    ...words,
    engine: 'web-llm',
    source: { type: 'mlc', f16, f32 },
    downloadBytes: Math.round(parameters * BYTES_A_PARAMETER),
    memoryBytes: memoryMib * MIB,
    contextTokens: GPU_CONTEXT,
    vision: false,
  };
}

function cpu(words: Words, url: string, downloadBytes: number): LocalModel {
  return {
    reasoning: false,
    ...words,
    engine: 'wllama',
    source: { type: 'gguf', files: [{ url: `https://huggingface.co/${url}`, bytes: null, sha256: null }] },
    downloadBytes,
    memoryBytes: downloadBytes + CPU_OVERHEAD_BYTES,
    contextTokens: CPU_CONTEXT,
    vision: false,
  };
}

const SMOL = { name: 'SmolLM2 360M', languages: ['en'], licence: APACHE } as const;
const QWEN3_SMALL = { name: 'Qwen3 0.6B', languages: ['mul'], licence: APACHE, reasoning: true } as const;
const LLAMA_1B = { name: 'Llama 3.2 1B', languages: LLAMA_LANGUAGES, licence: LLAMA } as const;
const GEMMA_1B = { name: 'Gemma 3 1B', languages: ['en'], licence: GEMMA } as const;

/**
 * Models that are worth their download, the smallest first for each engine. Records and memory of the GPU engine are its package's own, and
 * a test holds them to it. Places and sizes of the GGUF files, licences and languages are those of the model cards; they were written down
 * without a network, so that a place may have moved. Sizes are estimates until the hub tells the real ones, before the first byte of a file.
 */
export const CATALOGUE: readonly LocalModel[] = [
  gpu({ ...SMOL, id: 'smollm2-360m-gpu' }, 'SmolLM2-360M-Instruct-q4f16_1-MLC', 'SmolLM2-360M-Instruct-q4f32_1-MLC', 0.362e9, 376),
  gpu({ ...GEMMA_1B, id: 'gemma3-1b-gpu' }, 'gemma3-1b-it-q4f16_1-MLC', null, 1e9, 711),
  gpu({ ...LLAMA_1B, id: 'llama-3.2-1b-gpu' }, 'Llama-3.2-1B-Instruct-q4f16_1-MLC', 'Llama-3.2-1B-Instruct-q4f32_1-MLC', 1.24e9, 879),
  gpu({ ...QWEN3_SMALL, id: 'qwen3-0.6b-gpu' }, 'Qwen3-0.6B-q4f16_1-MLC', 'Qwen3-0.6B-q4f32_1-MLC', 0.6e9, 1403),
  gpu(
    { id: 'qwen3.5-0.8b-gpu', name: 'Qwen3.5 0.8B', languages: ['mul'], licence: APACHE, reasoning: true },
    'Qwen3.5-0.8B-q4f16_1-MLC',
    'Qwen3.5-0.8B-q4f32_1-MLC',
    0.8e9,
    1629,
  ),
  gpu(
    { id: 'qwen2.5-1.5b-gpu', name: 'Qwen2.5 1.5B', languages: ['mul'], licence: APACHE },
    'Qwen2.5-1.5B-Instruct-q4f16_1-MLC',
    'Qwen2.5-1.5B-Instruct-q4f32_1-MLC',
    1.54e9,
    1630,
  ),
  gpu(
    { id: 'qwen3-1.7b-gpu', name: 'Qwen3 1.7B', languages: ['mul'], licence: APACHE, reasoning: true },
    'Qwen3-1.7B-q4f16_1-MLC',
    'Qwen3-1.7B-q4f32_1-MLC',
    1.72e9,
    2037,
  ),
  gpu(
    { id: 'llama-3.2-3b-gpu', name: 'Llama 3.2 3B', languages: LLAMA_LANGUAGES, licence: LLAMA },
    'Llama-3.2-3B-Instruct-q4f16_1-MLC',
    'Llama-3.2-3B-Instruct-q4f32_1-MLC',
    3.21e9,
    2264,
  ),
  gpu(
    { id: 'qwen3-4b-gpu', name: 'Qwen3 4B', languages: ['mul'], licence: APACHE, reasoning: true },
    'Qwen3-4B-q4f16_1-MLC',
    'Qwen3-4B-q4f32_1-MLC',
    4.02e9,
    3432,
  ),
  cpu(
    { id: 'smollm2-135m', name: 'SmolLM2 135M', languages: ['en'], licence: APACHE },
    'bartowski/SmolLM2-135M-Instruct-GGUF/resolve/main/SmolLM2-135M-Instruct-Q8_0.gguf',
    145e6,
  ),
  cpu({ ...SMOL, id: 'smollm2-360m' }, 'bartowski/SmolLM2-360M-Instruct-GGUF/resolve/main/SmolLM2-360M-Instruct-Q8_0.gguf', 386e6),
  cpu(
    { id: 'qwen2.5-0.5b', name: 'Qwen2.5 0.5B', languages: ['mul'], licence: APACHE },
    'Qwen/Qwen2.5-0.5B-Instruct-GGUF/resolve/main/qwen2.5-0.5b-instruct-q4_k_m.gguf',
    491e6,
  ),
  cpu({ ...QWEN3_SMALL, id: 'qwen3-0.6b' }, 'Qwen/Qwen3-0.6B-GGUF/resolve/main/Qwen3-0.6B-Q8_0.gguf', 639e6),
  cpu({ ...GEMMA_1B, id: 'gemma3-1b' }, 'ggml-org/gemma-3-1b-it-GGUF/resolve/main/gemma-3-1b-it-Q4_K_M.gguf', 806e6),
  cpu({ ...LLAMA_1B, id: 'llama-3.2-1b' }, 'bartowski/Llama-3.2-1B-Instruct-GGUF/resolve/main/Llama-3.2-1B-Instruct-Q4_K_M.gguf', 808e6),
];

/** Parts of one model: `name-00001-of-00003.gguf`. */
const PART_OF = /-(\d{5})-of-(\d{5})(\.gguf)$/i;
// The largest models there are come in some dozens.
const MAX_PARTS = 200;

/**
 * A GGUF model at an address of the user's, all its parts; the hub's page of a file counts as the file. Throws `address-invalid` for anything
 * else, also for a model of the GPU engine: that needs a compiled library, which no address of weights names. Plain http only on this machine.
 */
export function customModel(address: string): LocalModel {
  const url = URL.parse(address.trim());
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  const count = Number(PART_OF.exec(url?.pathname ?? '')?.[2] ?? 1);
  const isModel = url?.pathname.toLowerCase().endsWith('.gguf') === true && count >= 1 && count <= MAX_PARTS;
  if (url === null || !isSafe || !isModel || url.username !== '' || url.password !== '') {
    throw new AppError('address-invalid', { details: { address: address.slice(0, 200) } });
  }
  url.hash = '';
  url.pathname = url.pathname.replace(/^(\/[^/]+\/[^/]+)\/blob\//, '$1/resolve/');
  const name = fileNameOf(url.href).replace(PART_OF, '$3');
  return {
    ...unknownModel(`url:${partOf(url, 1, count)}`, name.replace(/\.gguf$/i, '')),
    source: {
      type: 'gguf',
      files: Array.from({ length: count }, (_, index) => ({ url: partOf(url, index + 1, count), bytes: null, sha256: null })),
    },
  };
}

/** The address of one part, whichever of them was given. */
function partOf(url: URL, part: number, count: number): string {
  const address = new URL(url);
  const digits = (value: number): string => String(value).padStart(5, '0');
  address.pathname = url.pathname.replace(PART_OF, `-${digits(part)}-of-${digits(count)}$3`);
  return address.href;
}

/** A GGUF file that the user brings in. */
export function modelFromFile(fileName: string, sizeBytes: number): LocalModel {
  const model = unknownModel(`file:${fileName}`, fileName.replace(/\.gguf$/i, ''));
  return { ...model, source: { type: 'file', name: fileName }, downloadBytes: sizeBytes, memoryBytes: sizeBytes + CPU_OVERHEAD_BYTES };
}

function unknownModel(id: string, name: string): Omit<LocalModel, 'source'> {
  return {
    id,
    engine: 'wllama',
    name,
    downloadBytes: null,
    memoryBytes: CPU_OVERHEAD_BYTES,
    contextTokens: CPU_CONTEXT,
    languages: [],
    licence: null,
    reasoning: false,
    vision: false,
  };
}
