import { AppError } from '../core/errors';
import type { LocalModel } from '../core/local-model';
import type { Gate } from '../outbound/gate';
import { downloadFile, takeInFile } from './file-download';
import { atHost, describeFiles } from './hub';
import { downloadMlc } from './mlc-download';
import { ModelFolder } from './model-folder';
import { steady, totalOf } from './progress';
import { refuseWhereNoSpace } from './space';
import type { DownloadOptions, ModelStore } from './store';

/** Files in the private file system and in the package's caches, fetched through `gate`. `elapsed` as the environment has it. */
export function createModelStore(gate: Gate, elapsed: () => number): ModelStore {
  return {
    async download(model, options) {
      const steadily = { ...options, onProgress: steady(options.onProgress, elapsed) };
      if (options.record !== null) return downloadMlc(options.record, gate, steadily);
      return downloadGguf(model, gate, steadily);
    },
    async takeIn(model, file, signal) {
      const folder = new ModelFolder(model.id);
      await refuseWhereNoSpace(file.size - (await folder.bytes()));
      await takeInFile(folder, nameOf(0), file, model.name, signal);
      return file.size;
    },
    async open(model) {
      const folder = new ModelFolder(model.id);
      const count = model.source.type === 'gguf' ? model.source.files.length : 1;
      const files = await Promise.all(Array.from({ length: count }, async (_, index) => folder.file(nameOf(index))));
      return files.map((file) => {
        if (file === undefined) throw new AppError('model-not-downloaded', { details: { modelId: model.name } });
        return file;
      });
    },
    storedBytes: async (model) => (model.engine === 'web-llm' ? null : new ModelFolder(model.id).bytes()),
    remove: async (model) => new ModelFolder(model.id).remove(),
  };
}

async function downloadGguf(model: LocalModel, gate: Gate, options: DownloadOptions): Promise<number> {
  const { signal, modelHost, onProgress } = options;
  // A file that the user brought can't be fetched again.
  if (model.source.type !== 'gguf') throw new AppError('model-not-downloaded', { details: { modelId: model.name } });
  const files = await describeFiles(model.source.files, { gate, modelHost, signal });
  const folder = new ModelFolder(model.id);
  const known = totalOf(files.map(({ bytes }) => bytes));
  if (known !== null) await refuseWhereNoSpace(known - (await folder.bytes()));
  const progress = files.map(({ bytes }) => ({ bytes: 0, size: bytes }));
  for (const [index, file] of files.entries()) {
    await downloadFile({
      gate,
      folder,
      name: nameOf(index),
      file: { ...file, url: atHost(file.url, modelHost) },
      signal,
      onProgress: (bytes, size) => {
        progress[index] = { bytes, size };
        onProgress({
          receivedBytes: progress.reduce((sum, entry) => sum + entry.bytes, 0),
          totalBytes: totalOf(progress.map((entry) => entry.size)),
        });
      },
    });
  }
  return folder.bytes();
}

function nameOf(index: number): string {
  return `${index}.gguf`;
}
