/** What of the browser's own model is used here: Chrome's Prompt API. */
export interface LanguageModel {
  availability(options: object): Promise<string>;
  create(options: {
    readonly initialPrompts?: readonly { readonly role: string; readonly content: string }[];
    readonly signal?: AbortSignal;
    readonly monitor?: (monitor: EventTarget) => void;
  }): Promise<LanguageModelSession>;
}

export interface LanguageModelSession {
  promptStreaming(text: string, options: { readonly signal: AbortSignal }): ReadableStream<string>;
  destroy(): void;
}

/** The same has to be said when its availability is asked for and when a session is made. */
export const TEXT_ONLY = { expectedInputs: [{ type: 'text' }], expectedOutputs: [{ type: 'text' }] } as const;

/** The browser's class, where it has one. That means nothing yet: it is there where no session can be made, too. */
export function findLanguageModel(scope: object): LanguageModel | undefined {
  const found: unknown = Reflect.get(scope, 'LanguageModel');
  return isLanguageModel(found) ? found : undefined;
}

function isLanguageModel(value: unknown): value is LanguageModel {
  return (typeof value === 'function' || typeof value === 'object') && value !== null && 'create' in value && 'availability' in value;
}
