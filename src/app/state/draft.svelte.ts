import { untrack } from 'svelte';
import { EMPTY_DRAFT, isEmptyDraft, type Draft, type DraftAttachment } from '../../core/draft';
import { AppError, isAbort, isStorageLost, toErrorData, type ErrorData } from '../../core/errors';
import { saveBlob } from '../../storage/blobs';
import type { JackdawDatabase } from '../../storage/db';
import { deleteDraft, readDraft, saveDraft } from '../../storage/drafts';
import type { DraftCopies } from './draft-copies';
import { HEAD_BYTES, MAX_ATTACHMENT_BYTES, mediaTypeOf } from '../../core/media-type';

/** Key of the draft on the start page. */
export const NEW_DRAFT_KEY = 'new';

/** Long enough to write once per pause, short enough to lose little when the page is killed. */
const SAVE_DELAY_MS = 600;

export interface DraftDependencies {
  readonly database: JackdawDatabase;
  /** Epoch ms. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Where words are until the database has them. */
  readonly copies: DraftCopies;
}

/** What one composer holds: read from storage, written back as it changes, emptied only by what was accepted. */
export class DraftState {
  readonly #dependencies: DraftDependencies;
  #key: string;
  #text = $state('');
  #attachments = $state.raw<readonly DraftAttachment[]>([]);
  #error = $state.raw<ErrorData | null>(null);
  #sending = $state(false);
  /** Id of a message that may have been stored although nobody said so; the same words are sent under it again. */
  #messageId: string | undefined;
  #attaching = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Saves run one after the other, so that an older text never overwrites a newer one. */
  #saving: Promise<void> = Promise.resolve();
  readonly loaded: Promise<void>;

  constructor(dependencies: DraftDependencies, key: string) {
    this.#dependencies = dependencies;
    this.#key = key;
    this.loaded = this.#load();
  }

  /** The conversation's id, or `new`. */
  get key(): string {
    return this.#key;
  }

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    this.#changed();
  }

  get attachments(): readonly DraftAttachment[] {
    return this.#attachments;
  }

  get isEmpty(): boolean {
    return isEmptyDraft({ text: this.#text, attachments: this.#attachments });
  }

  /** Why the last sending, attaching or saving failed; gone with the next try. */
  get error(): ErrorData | null {
    return this.#error;
  }

  set error(error: ErrorData | null) {
    this.#error = error;
  }

  /** True from the click until the worker accepted or refused. */
  get sending(): boolean {
    return this.#sending;
  }

  /** Files that are being read right now. */
  get attaching(): number {
    return this.#attaching;
  }

  /** Stores each image, PDF or sound and attaches it. A file that is none of these or too large sets `error` and leaves the others. Never throws. */
  async attach(files: readonly File[]): Promise<void> {
    this.#error = null;
    this.#attaching += files.length;
    for (const file of files) {
      try {
        const attachment = await this.#store(file);
        if (!this.#attachments.some((known) => known.blob === attachment.blob)) this.#attachments = [...this.#attachments, attachment];
        this.#changed();
      } catch (error) {
        this.#error = toErrorData(error);
      } finally {
        this.#attaching -= 1;
      }
    }
  }

  detach(blob: string): void {
    this.#attachments = this.#attachments.filter((attachment) => attachment.blob !== blob);
    this.#error = null;
    this.#changed();
  }

  /**
   * Hands the draft to `send`, once more where its worker died meanwhile; the id makes that the same message. What `send` accepted is taken
   * out in one beat; words typed meanwhile stay. When it refuses, everything stays and `error` says why. Null: nothing was sent, because it failed, the draft is empty, or a sending is under way.
   */
  async submit<Result>(send: (draft: Draft, messageId: string) => Promise<Result>): Promise<Result | null> {
    const draft: Draft = { text: this.#text, attachments: this.#attachments };
    if (this.#sending || isEmptyDraft(draft)) return null;
    this.#sending = true;
    this.#error = null;
    try {
      const result = await this.#sendTwice(draft, send);
      this.#text = this.#text.startsWith(draft.text) ? this.#text.slice(draft.text.length) : this.#text;
      this.#attachments = this.#attachments.filter((attachment) => !draft.attachments.includes(attachment));
      this.#changed();
      void this.flush();
      return result;
    } catch (error) {
      if (!isAbort(error)) this.#error = toErrorData(error);
      return null;
    } finally {
      this.#sending = false;
    }
  }

  /** From now on this is the draft of another conversation; what it holds goes along. */
  moveTo(key: string): void {
    const previous = this.#key;
    this.#key = key;
    this.#saving = this.#saving.then(() => this.#write(previous, EMPTY_DRAFT));
    this.#changed();
  }

  /** Writes at once what is not stored yet. Never throws: a failure is in `error`, and the words are in their copy. */
  async flush(): Promise<void> {
    if (this.#timer === undefined) return this.#saving;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Before anything is waited for: a page that is being closed gets no further.
    this.#dependencies.copies.keep(this.#key, this.#text);
    this.#saving = this.#saving.then(async () => {
      // Before the stored draft is read, writing would overwrite it.
      await this.loaded;
      await this.#write(this.#key, { text: this.#text, attachments: this.#attachments });
    });
    return this.#saving;
  }

  async #sendTwice<Result>(draft: Draft, send: (draft: Draft, messageId: string) => Promise<Result>): Promise<Result> {
    const messageId = (this.#messageId ??= this.#dependencies.newId());
    try {
      return await send(draft, messageId);
    } catch (error) {
      if (!hasDied(error)) throw error;
      return await send(draft, messageId);
    }
  }

  #changed(): void {
    this.#messageId = undefined;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), SAVE_DELAY_MS);
  }

  async #load(): Promise<void> {
    try {
      const stored = await readDraft(this.#dependencies.database, this.#key);
      // Words that the database has not taken are newer than those it has.
      const copy = this.#dependencies.copies.read(this.#key);
      // Someone may have typed before the stored draft was here: their words go on after it.
      this.#text = (copy ?? stored?.text ?? '') + this.#text;
      this.#attachments = [...(stored?.attachments ?? []), ...this.#attachments];
      if (copy !== undefined) this.#changed();
    } catch (error) {
      this.#error = toErrorData(error);
    }
  }

  async #write(key: string, draft: Draft): Promise<void> {
    const { database, now, copies } = this.#dependencies;
    try {
      if (isEmptyDraft(draft)) await deleteDraft(database, key);
      else await saveDraft(database, key, draft, now());
      copies.drop(key);
    } catch (error) {
      const data = toErrorData(error);
      // The whole page tells of that, and these words are safe in their copy.
      if (!isStorageLost(data.code)) this.#error = data;
    }
  }

  async #store(file: File): Promise<DraftAttachment> {
    if (file.size > MAX_ATTACHMENT_BYTES)
      throw new AppError('attachment-too-large', { details: { name: file.name, limitBytes: MAX_ATTACHMENT_BYTES } });
    const media = mediaTypeOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
    if (media === null) throw new AppError('attachment-type', { details: { name: file.name } });
    const { database, now } = this.#dependencies;
    const blob = await saveBlob(database, await file.arrayBuffer(), media.mimeType, now());
    return { ...media, blob, name: file.name, sizeBytes: file.size };
  }
}

function hasDied(error: unknown): boolean {
  return error instanceof AppError && error.code === 'worker-died';
}

/** The draft of the composer on screen. Going to another conversation writes the old one and reads the new one. */
export class CurrentDraft {
  readonly #dependencies: DraftDependencies;
  #current: DraftState | undefined;

  constructor(dependencies: DraftDependencies) {
    this.#dependencies = dependencies;
  }

  /** The draft of `key`: the same object until the key is another one. */
  at(key: string): DraftState {
    return untrack(() => {
      if (this.#current?.key === key) return this.#current;
      void this.#current?.flush();
      this.#current = new DraftState(this.#dependencies, key);
      return this.#current;
    });
  }

  async flush(): Promise<void> {
    await this.#current?.flush();
  }
}
