import type { AppConfig } from '@mlc-ai/web-llm';
import type { MlcCustom, MlcRecord } from './engine';
import { loadWebLlm } from './web-llm-package';

/** The package's list with the user's own record in it. The same has to be given to everything that the package is asked. */
export async function appConfigOf({
  recordId,
  custom,
}: {
  readonly recordId: string;
  readonly custom: MlcCustom | null;
}): Promise<AppConfig> {
  const { prebuiltAppConfig } = await loadWebLlm();
  const own = custom === null ? [] : [{ model: custom.model, model_id: recordId, model_lib: custom.library }];
  return { model_list: [...prebuiltAppConfig.model_list, ...own], cacheBackend: 'cache' };
}

/** What the package knows of one of its models; null for an id that it does not know. */
export async function readMlcRecord(recordId: string): Promise<MlcRecord | null> {
  const { prebuiltAppConfig } = await loadWebLlm();
  const record = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === recordId);
  if (record === undefined) return null;
  const { model, model_lib, vram_required_MB, overrides } = record;
  return {
    recordId,
    model: folderOf(model),
    library: model_lib,
    memoryBytes: vram_required_MB === undefined ? null : vram_required_MB * 1024 ** 2,
    contextTokens: overrides?.context_window_size ?? null,
  };
}

/** Whether the package finds all weights in its caches. Asks nobody for them. */
export async function isMlcStored(choice: { readonly recordId: string; readonly custom: MlcCustom | null }): Promise<boolean> {
  const { hasModelInCache } = await loadWebLlm();
  return hasModelInCache(choice.recordId, await appConfigOf(choice));
}

/**
 * Removes everything of a model, whole or in part. The library goes too, although a sibling may use it: it is a few megabytes, and the
 * sibling's next download brings it back.
 */
export async function removeMlc(choice: { readonly recordId: string; readonly custom: MlcCustom | null }): Promise<void> {
  const { deleteModelAllInfoInCache } = await loadWebLlm();
  // Where something is missing the package would first fetch the list of what it is to remove.
  if (await isMlcStored(choice)) await deleteModelAllInfoInCache(choice.recordId, await appConfigOf(choice));
  const record = choice.custom ?? (await readMlcRecord(choice.recordId));
  if (record === null) return;
  const folder = folderOf(record.model);
  for (const name of await caches.keys()) {
    if (!name.startsWith('webllm/')) continue;
    const cache = await caches.open(name);
    // The package leaves its list behind, and knows nothing of a download that was broken off.
    for (const request of await cache.keys())
      if (request.url.startsWith(folder) || request.url === record.library) await cache.delete(request);
  }
}

/** Address of a model's folder on the hub, as the package completes it: files are looked up by it in the caches. */
export function folderOf(model: string): string {
  const folder = model.endsWith('/') ? model : `${model}/`;
  return new URL(/.+\/resolve\/.+\//.test(folder) ? folder : `${folder}resolve/main/`).href;
}
