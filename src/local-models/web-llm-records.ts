import type { AppConfig } from '@mlc-ai/web-llm';
import type { MlcRecord } from './engine';
import { loadWebLlm } from './web-llm-package';

/** How the package is used here; the same has to be given to everything that it is asked. */
export async function appConfig(): Promise<AppConfig> {
  const { prebuiltAppConfig } = await loadWebLlm();
  return { ...prebuiltAppConfig, cacheBackend: 'cache' };
}

/** What the package knows of one of its models; null for an id that it does not know. */
export async function readMlcRecord(recordId: string): Promise<MlcRecord | null> {
  const { prebuiltAppConfig } = await loadWebLlm();
  const record = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === recordId);
  if (record === undefined) return null;
  return { model: folderOf(record.model), library: record.model_lib };
}

/** Whether the package finds all weights in its caches. Asks nobody for them. */
export async function isMlcStored(recordId: string): Promise<boolean> {
  const { hasModelInCache } = await loadWebLlm();
  return hasModelInCache(recordId, await appConfig());
}

/**
 * Removes everything of a model, whole or in part. The library goes too, although a sibling may use it: it is a few megabytes, and the
 * sibling's next download brings it back.
 */
export async function removeMlc(recordId: string): Promise<void> {
  const { deleteModelAllInfoInCache } = await loadWebLlm();
  // Where something is missing the package would first fetch the list of what it is to remove.
  if (await isMlcStored(recordId)) await deleteModelAllInfoInCache(recordId, await appConfig());
  const record = await readMlcRecord(recordId);
  if (record === null) return;
  for (const name of await caches.keys()) {
    if (!name.startsWith('webllm/')) continue;
    const cache = await caches.open(name);
    // The package leaves its list behind, and knows nothing of a download that was broken off.
    for (const request of await cache.keys())
      if (request.url.startsWith(record.model) || request.url === record.library) await cache.delete(request);
  }
}

/** Address of a model's folder on the hub, as the package completes it: files are looked up by it in the caches. */
function folderOf(model: string): string {
  const folder = model.endsWith('/') ? model : `${model}/`;
  return new URL(/.+\/resolve\/.+\//.test(folder) ? folder : `${folder}resolve/main/`).href;
}
