import { formatBytes, formatNumber } from '../format';
import { pluralIn } from '../plural';

const TAG = 'en';
const plural = pluralIn(TAG);
const compact = new Intl.NumberFormat(TAG, { notation: 'compact' });
const number = (value: number): string => formatNumber(TAG, value);

/** Whole seconds as people say them: `12 s`, `2 min 5 s`. */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${number(whole)} s` : `${number(minutes)} min ${number(whole % 60)} s`;
}

/** What the chat says. */
export const chat = {
  conversation: 'Conversation',
  you: 'You',
  assistant: 'Answer',
  messageBy: (who: string) => `${who}:`,
  loading: 'Opening the conversation…',
  beginning: 'Beginning of the conversation',
  missing: {
    title: 'This conversation is not here.',
    advice: 'It may have been deleted, here or in another tab.',
    start: 'Start a new chat',
  },
  emptyConversation: 'There are no messages left in this conversation. Write one below.',
  toEnd: 'To the end',
  toEndNew: 'New text below',
  answerFinished: 'The answer is finished.',
  answerStopped: 'The answer was stopped.',
  answerFailed: 'The answer failed.',
  start: {
    greeting: 'What is on your mind?',
    noAccount: 'Connect a model to begin',
    noAccountAdvice: 'Jackdaw talks to the model you choose, straight from this browser. There is no server of ours in between.',
    connect: 'Connect a model',
    local: 'A server on this machine works too: Ollama, LM Studio, llama.cpp.',
    onDevice: 'Or run a model on this device',
    hintPrivate: 'Everything you write stays in this browser until you send it to a model.',
    hintKept: 'Nothing is thrown away: an edit or a second answer is kept beside the first.',
  },
  composer: {
    label: 'Message',
    placeholder: 'Write a message',
    send: 'Send',
    stop: 'Stop',
    stopKey: 'Stop (Esc)',
    sendHint: { enter: 'Enter sends, Shift + Enter starts a new line', 'mod-enter': 'Ctrl or ⌘ + Enter sends, Enter starts a new line' },
    moreWays: 'More ways to send',
    storeOnly: 'Add without an answer',
    mode: (name: string) => `Mode: ${name}`,
    modes: { text: 'Text', tools: 'Tools', 'agent-dev': 'Agent-dev' },
    attach: 'Add files',
    attachments: 'Attached files',
    removeAttachment: (name: string) => `Remove ${name}`,
    attaching: 'Adding…',
    drop: 'Drop images, PDFs or sound here',
    unsupported: {
      'image-unsupported': (model: string) => `${model} can’t read images. Remove the image or choose a model with vision.`,
      'document-unsupported': (model: string) => `${model} can’t read PDFs. Remove the PDF or choose a model that reads them.`,
      'audio-unsupported': (model: string) => `${model} can’t hear sound. Remove the sound or choose a model that hears.`,
    },
    busy: 'The answer is still being written. Your text stays here; stop the answer or wait for its end to send it.',
  },
  picker: {
    none: 'Choose a model',
    label: (model: string) => `Model: ${model}`,
    onDevice: 'Models on this device',
    title: 'Model',
    titleDefault: 'Model of new chats',
    search: 'Search models',
    refresh: 'Refresh list',
    refreshAll: 'Refresh the lists of models',
    refreshing: 'Asking for the list…',
    noAccounts: 'No account yet. Connect one and its models appear here.',
    emptyList: 'This account has listed no models yet.',
    noMatch: (query: string) => `No model matches “${query}”.`,
    useTyped: (id: string) => `Use “${id}”`,
    useTypedIn: (account: string) => `as the model’s exact name at ${account}`,
    failed: 'The list could not be fetched.',
    manage: 'Accounts',
    vision: 'Images',
    tools: 'Tools',
    reasoning: 'Thinking',
    documents: 'PDFs',
    audio: 'Sound',
    context: (tokens: number) => compact.format(tokens),
    contextLong: (tokens: number) => `reads ${number(tokens)} tokens`,
    results: (count: number) => plural(count, { one: '# model', other: '# models' }),
  },
  actions: {
    label: 'Message actions',
    copyText: 'Copy as Markdown',
    edit: 'Edit',
    regenerate: 'Answer again; this answer is kept',
    continue: 'Continue',
    delete: 'Delete',
  },
  branch: {
    label: 'Alternatives',
    position: (index: number, count: number) => `${number(index)}/${number(count)}`,
    positionLong: (index: number, count: number) => `Alternative ${number(index)} of ${number(count)}`,
    previous: 'Previous alternative',
    next: 'Next alternative',
  },
  edit: {
    label: 'Edit message',
    send: 'Send',
    sendAbout: 'Keeps the old message beside the new one and answers the new one.',
    save: 'Save as branch',
    saveAbout: 'Keeps the old words beside the new ones; nothing is sent.',
  },
  remove: {
    title: 'Delete this message?',
    advice: 'Only this message goes; the ones after it stay. This can’t be undone.',
  },
  run: {
    preparing: 'Getting ready…',
    requesting: (model: string) => `Waiting for ${model}…`,
    requestingFor: (model: string, seconds: number) => `Waiting for ${model}… ${duration(seconds)}`,
    writing: 'Writing…',
    finishing: 'Saving…',
    queued: 'Waiting until another answer is done…',
    loading: (model: string, share: string) => `Loading ${model}… ${share}`,
    reading: (model: string) => `${model} is reading…`,
    retryIn: (seconds: number, attempt: number) =>
      seconds <= 0 ? `Trying again now (try ${number(attempt)})` : `Trying again in ${duration(seconds)} (try ${number(attempt)})`,
  },
  reasoning: {
    running: (seconds: number) => `Thinking… ${duration(seconds)}`,
    done: (seconds: number) => (seconds < 1 ? 'Thought briefly' : `Thought for ${duration(seconds)}`),
  },
  find: {
    label: 'Find in this conversation',
    field: 'Find in this conversation',
    place: (place: number, count: number, isSearching: boolean) => `${place} of ${count}${isSearching ? '…' : ''}`,
    searching: 'Searching…',
    nothing: 'Not found',
    older: 'Older message with these words',
    newer: 'Newer message with these words',
    close: 'Close the search',
  },
  spoken: 'The answer, as it is written',
  spokenCode: 'Code.',
  refusal: 'The model declined to answer',
  refusalReason: (reason: string) => `The provider’s filter stopped this answer and gave “${reason}” as the reason.`,
  tool: {
    wanted: (name: string) => `Wanted to use ${name}`,
    running: (name: string) => `Using ${name}…`,
    done: (name: string) => `Used ${name}`,
    failed: (name: string) => `${name} failed`,
    waiting: (name: string) => `${name} waits for you`,
    declined: (name: string) => `${name} was declined`,
  },
  hosted: {
    running: {
      search: 'Searching the web…',
      page: 'Reading a web page…',
      code: 'Running code at the provider…',
      files: 'Searching files at the provider…',
      image: 'Making a picture…',
      other: (name: string) => `${name} is running at the provider…`,
    },
    done: {
      search: 'Searched the web',
      page: 'Read a web page',
      code: 'Ran code at the provider',
      files: 'Searched files at the provider',
      image: 'Made a picture',
      other: (name: string) => `${name} ran at the provider`,
    },
    failed: {
      search: 'The web search failed',
      page: 'Reading a web page failed',
      code: 'Running code at the provider failed',
      files: 'Searching files at the provider failed',
      image: 'Making a picture failed',
      other: (name: string) => `${name} failed at the provider`,
    },
    stopped: {
      search: 'The web search was stopped',
      page: 'Reading a web page was stopped',
      code: 'Running code at the provider was stopped',
      files: 'Searching files at the provider was stopped',
      image: 'Making a picture was stopped',
      other: (name: string) => `${name} was stopped at the provider`,
    },
    with: (line: string, queries: readonly string[]) => `${line.replace(/…$/, '')}: ${queries.join(', ')}`,
    queries: 'Searched for',
    code: 'Code',
  },
  sources: {
    label: 'Sources',
    count: (count: number) => plural(count, { one: '# source', other: '# sources' }),
    opens: 'opens in a new tab',
  },
  file: {
    document: 'PDF',
    audio: 'Sound',
    play: (name: string) => `Play ${name}`,
    missing: 'This file is no longer stored here.',
  },
  image: { open: (name: string) => `Open ${name} larger`, missing: 'This image is no longer stored here.', unnamed: 'Image' },
  more: 'Show all',
  less: 'Show less',
  end: {
    length: 'Stopped at the limit for answers.',
    interrupted: 'This answer was interrupted. What arrived is kept.',
    stopped: 'Stopped.',
    filtered: 'The provider’s filter ended this answer.',
    steps: (count: number) => `${number(count)} steps so far. Shall it go on?`,
  },
  next: { continue: 'Continue', retry: 'Try again', accounts: 'Open account settings', unlock: 'Turn off the offline lock' },
  usage: {
    label: 'About this answer',
    tokens: (input: number | null, output: number | null) =>
      [input === null ? '' : `${number(input)} in`, output === null ? '' : `${number(output)} out`]
        .filter((text) => text !== '')
        .join(', '),
    tokensLong: (input: number | null, output: number | null) =>
      [input === null ? '' : `${number(input)} tokens read`, output === null ? '' : `${number(output)} tokens written`]
        .filter((text) => text !== '')
        .join(', '),
    speed: (tokensPerSecond: number) => `${number(Math.round(tokensPerSecond * 10) / 10)} tokens/s`,
    seconds: (seconds: number) => (seconds < 10 ? `${number(Math.round(seconds * 10) / 10)} s` : duration(seconds)),
  },
  fileSize: (bytes: number) => formatBytes(TAG, bytes),
  notification: { finished: 'The answer is finished.', failed: 'The answer failed.', waiting: 'The answer waits for your decision.' },
};
