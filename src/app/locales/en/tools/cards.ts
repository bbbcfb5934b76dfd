import { formatNumber } from '../../format';
import { pluralIn } from '../../plural';

const plural = pluralIn('en');
const number = (value: number): string => formatNumber('en', value);

/** Cards of calls, the line they are folded into, and what agent-dev shows. */
export const cards = {
  arguments: 'Arguments',
  edited: 'Changed by you to',
  result: 'Result',
  copy: 'Copy',
  copied: 'Copied',
  took: (seconds: string) => `Took ${seconds}`,
  reason: (reason: string) => `You said: “${reason}”`,
  stored: (characters: number) => `The whole result has ${number(characters)} characters; the model read its beginning.`,
  showAll: 'Show all of it',
  gone: 'The whole result is no longer stored here.',
  states: {
    pending: 'Waits for you.',
    open: 'Not run yet. Continue the answer to run it.',
    notRun: 'It was not run.',
    cutShort: 'It was cut short; it may or may not have had its effect.',
  },
  failures: {
    'unknown-tool': 'The model called a tool that is not here, so nothing was run.',
    'arguments-truncated': 'The answer was cut off in the middle of this call, so nothing was run.',
    'arguments-invalid': 'The model’s arguments did not fit, so nothing was run.',
    denied: 'You declined it, so nothing was run.',
    unanswered: 'You did not answer.',
    'step-limit': 'The answer had reached its limit of steps, so nothing was run.',
    timeout: 'It took too long.',
    refused: 'It could not be done as the model asked.',
    failed: 'It did not work.',
  },
  tasks: { pending: 'to do', in_progress: 'in progress', completed: 'done' },
  answered: { own: 'in your own words', timedOut: 'Nobody answered in time; the recommended choice was taken.' },
  conversations: 'Conversations it looked at',
  steps: {
    title: (count: number) => plural(count, { one: 'One step', other: '# steps' }),
    step: 'Step',
    first: 'First token',
    total: 'Time',
    input: 'In',
    output: 'Out',
    reasoning: 'Thinking',
    cached: 'From cache',
    end: 'Ended by',
    sum: 'Sum',
  },
};
