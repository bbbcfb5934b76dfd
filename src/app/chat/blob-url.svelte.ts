import { createSubscriber } from 'svelte/reactivity';
import { readBlob } from '../../storage/blobs';
import type { JackdawDatabase } from '../../storage/db';

/** A stored file as an address for `<img>`. It is made when first read and revoked when nothing reads it any more. */
export class BlobUrl {
  readonly #track: () => void;
  #url = $state.raw<string | null | undefined>(undefined);

  constructor(database: JackdawDatabase, hash: string) {
    this.#track = createSubscriber(() => {
      let wanted = true;
      readBlob(database, hash).then(
        (blob) => {
          if (wanted) this.#url = blob === undefined ? null : URL.createObjectURL(new Blob([blob.body.bytes], { type: blob.mimeType }));
        },
        () => {
          // A picture that can't be read is shown as one that is not there.
          if (wanted) this.#url = null;
        },
      );
      return () => {
        wanted = false;
        if (typeof this.#url === 'string') URL.revokeObjectURL(this.#url);
        this.#url = undefined;
      };
    });
  }

  /** Undefined while it is read, null when it is not stored any more. */
  get current(): string | null | undefined {
    this.#track();
    return this.#url;
  }
}
