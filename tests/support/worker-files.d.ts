/** Files as only workers have them: tests are compiled for pages, and run the workers' code too. */
interface FileSystemSyncAccessHandle {
  getSize(): number;
  read(into: Uint8Array, options: { readonly at: number }): number;
  write(data: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

interface FileSystemFileHandle {
  createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
}
