// Browsers read the file after the click; taking the address away at once would cut a large one off.
const RELEASE_MS = 60_000;

/** Hands a file to the browser's own download. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, RELEASE_MS);
}
