import { appendLines, clearDebugFiles, readDebugLog } from '../../src/worker/debug-files';

/** Runs one piece of work on the files, and says what came of it. */
self.onmessage = ({ data }: MessageEvent<{ work: 'append' | 'read' | 'clear'; lines: readonly string[] }>) => {
  perform(data.work, data.lines).then(
    (text) => {
      self.postMessage({ text });
    },
    (error: unknown) => {
      self.postMessage({ error: String(error) });
    },
  );
};

async function perform(work: 'append' | 'read' | 'clear', lines: readonly string[]): Promise<string> {
  if (work === 'append') await appendLines(lines);
  else if (work === 'clear') await clearDebugFiles();
  else return (await readDebugLog()).text();
  return '';
}
