import type { DeviceFacts, Fit, LocalModel, LocalModelEntry, LocalModelStatus, LocalModelsView } from '../core/local-model';
import type { LocalModelRecord } from '../storage/db';
import type { DownloadProgress } from './store';

/** What of the present moment the view is made from. */
export interface Present {
  readonly catalogue: readonly LocalModel[];
  readonly records: readonly LocalModelRecord[];
  readonly device: DeviceFacts;
  readonly downloads: ReadonlyMap<string, DownloadProgress>;
  readonly loading: { readonly modelId: string; readonly progress: number | null } | undefined;
  readonly loaded: string | undefined;
  readonly fit: (model: LocalModel, device: DeviceFacts, storedBytes: number) => Fit;
}

/** All models on this device as the page shows them: the catalogue in its order, then the user's own. */
export function viewOf(present: Present): LocalModelsView {
  const own = present.records.filter(({ model }) => !present.catalogue.some(({ id }) => id === model.id)).map(({ model }) => model);
  const entries = [...present.catalogue, ...own].map((model) => entryOf(model, present));
  return { entries, device: present.device, usedBytes: present.records.reduce((sum, record) => sum + bytesOf(record, present), 0) };
}

function bytesOf({ model, receivedBytes }: LocalModelRecord, { downloads }: Present): number {
  return downloads.get(model.id)?.receivedBytes ?? receivedBytes;
}

function entryOf(model: LocalModel, present: Present): LocalModelEntry {
  const record = present.records.find((candidate) => candidate.model.id === model.id);
  return {
    model: record?.model ?? model,
    status: statusOf(model.id, record, present),
    fit: present.fit(model, present.device, record?.receivedBytes ?? 0),
    tokensPerSecond: record?.tokensPerSecond ?? null,
    hasCrashed: record?.isLoading === true && present.loading?.modelId !== model.id,
  };
}

function statusOf(id: string, record: LocalModelRecord | undefined, { downloads, loading, loaded }: Present): LocalModelStatus {
  const progress = downloads.get(id);
  if (progress !== undefined) return { type: 'downloading', ...progress };
  if (record === undefined) return { type: 'absent' };
  const { receivedBytes, totalBytes, error } = record;
  if (!record.isComplete) return { type: 'paused', receivedBytes, totalBytes, error };
  if (loading?.modelId === id) return { type: 'loading', storedBytes: receivedBytes, progress: loading.progress };
  return { type: loaded === id ? 'loaded' : 'ready', storedBytes: receivedBytes };
}
