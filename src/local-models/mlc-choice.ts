import type { LocalModel } from '../core/local-model';
import type { MlcCustom } from './engine';

/** How the GPU engine knows a model; null for one of the CPU engine. */
export function mlcOf(
  model: LocalModel,
  precision: 'f16' | 'f32' | null,
): { readonly recordId: string; readonly custom: MlcCustom | null } | null {
  const { source } = model;
  switch (source.type) {
    case 'mlc': {
      const recordId = precision === 'f32' ? (source.f32 ?? source.f16) : (source.f16 ?? source.f32);
      return recordId === null ? null : { recordId, custom: null };
    }
    case 'mlc-url':
      return { recordId: model.id, custom: { model: source.url, library: source.library } };
    case 'gguf':
    case 'file':
      return null;
  }
}
