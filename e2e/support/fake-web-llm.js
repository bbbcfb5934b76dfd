// Stands in for the engine of the GPU package, and for nothing else of it: lists, caches and deletion are the package's own. Its quirks are
// copied: three runs of progress, one answer at a time, "abort" as a reason, counts in a last piece without choices, an empty thought before
// an answer that was not to think, errors that are known by their name, and no tools.
export * from './REAL_PACKAGE';

const PIECE_MS = 30;
const LOAD_STEP_MS = 200;
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const failure = (name, message) => Object.assign(new Error(message), { name });

export class MLCEngine {
  #config;
  #loaded = null;
  #isInterrupted = false;
  #tail = Promise.resolve();
  chat = { completions: { create: (request) => this.#create(request) } };

  constructor(config) {
    this.#config = config;
  }

  async reload(modelId) {
    const record = this.#config.appConfig.model_list.find(({ model_id }) => model_id === modelId);
    if (record === undefined) throw failure('ModelNotFoundError', `Cannot find ${modelId}`);
    if ((await navigator.gpu?.requestAdapter()) == null) throw new Error('Unable to find a compatible GPU.');
    const folder = new URL('resolve/main/', `${record.model}/`).href;
    for (const [scope, name] of [
      ['webllm/config', 'mlc-chat-config.json'],
      ['webllm/model', 'tensor-cache.json'],
      ['webllm/model', 'params_shard_0.bin'],
    ]) {
      const found = await (await caches.open(scope)).match(new URL(name, folder).href);
      if (found === undefined) throw new TypeError(`Failed to execute 'add' on 'Cache': ${name}`);
    }
    for (const text of ['Fetching param cache', 'Loading model from cache', 'Loading GPU shader modules']) {
      for (const progress of [0, 0.5, 1]) {
        this.#config.initProgressCallback({ progress, timeElapsed: 0, text: `${text}[${progress}]` });
        await rest(LOAD_STEP_MS);
      }
    }
    this.#loaded = modelId;
  }

  async unload() {
    this.#loaded = null;
  }

  async interruptGenerate() {
    this.#isInterrupted = true;
  }

  async #create(request) {
    if (this.#loaded === null) throw failure('ModelNotLoadedError', 'Model not loaded');
    if (request.tools !== undefined) throw failure('UnsupportedModelIdError', 'This model takes no tools.');
    for (const { role, content } of request.messages)
      if (role === 'assistant' && typeof content !== 'string') throw failure('ContentTypeError', 'content');
    const last = request.messages.at(-1);
    if (last.role !== 'user' && last.role !== 'tool') throw failure('MessageOrderError', 'Last message should be from user or tool.');
    const before = this.#tail;
    let release;
    this.#tail = new Promise((resolve) => (release = resolve));
    await before;
    this.#isInterrupted = false;
    return this.#answer(last.content, request.extra_body?.enable_thinking, release);
  }

  async *#answer(question, thinking, release) {
    try {
      if (question.endsWith('lose the device')) throw failure('DeviceLostError', 'The device was lost.');
      // Reads its prompt, which nothing ends.
      if (question.endsWith('for long')) await rest(10 * 60_000);
      if (question.endsWith('too long')) throw failure('ContextWindowSizeExceededError', 'Prompt tokens exceed context window size.');
      const words = question.endsWith('forever')
        ? Array.from({ length: 1000 }, (_, index) => ` word${index}`)
        : ['From', ' the', ' GPU', '.'];
      if (thinking === false) words.unshift('<think>\n\n</think>\n\n');
      let count = 0;
      let reason = 'stop';
      for (const content of words) {
        await rest(PIECE_MS);
        if (this.#isInterrupted) {
          reason = 'abort';
          break;
        }
        count += 1;
        yield { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] };
      }
      yield { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
      yield {
        choices: [],
        usage: {
          prompt_tokens: 5,
          completion_tokens: count,
          total_tokens: 5 + count,
          extra: { prefill_tokens_per_s: 100, decode_tokens_per_s: 33 },
        },
      };
    } finally {
      release();
    }
  }
}
