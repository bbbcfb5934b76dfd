import type { LocalWait } from '../../core/local-model';
import type { ErrorData } from '../../core/errors';
import type {
  CitationPart,
  FinishReason,
  HostedPart,
  MediaPart,
  MessageNode,
  ModelReference,
  NodeStatus,
  Part,
  StepContent,
} from '../../core/node';
import type { RetryNotice, RunPhase } from '../../core/run';
import { hostedKind } from './hosted';
import type { LiveRun } from './live-run';
import { linksIn, sourcesOf, type Source } from './sources';

/** What one message shows: the stored node, or the stored node under its running answer. */
export interface MessageContent {
  readonly status: NodeStatus;
  readonly parts: readonly KeyedPart[];
  readonly model: ModelReference | null;
  readonly error: ErrorData | null;
  readonly finishReason: FinishReason | null;
  readonly usage: UsageSummary | null;
  /** Steps that are stored. */
  readonly steps: readonly StepContent[];
  /** Null once nothing runs. */
  readonly run: {
    readonly phase: RunPhase;
    readonly startedAt: number;
    readonly retry: RetryNotice | null;
    readonly wait: LocalWait | null;
  } | null;
}

/** A part with a key that is the same while it streams and once it is stored, so that nothing is mounted anew in between. */
export interface KeyedPart {
  readonly key: string;
  readonly part: Part;
}

export interface UsageSummary {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Output tokens a second from the first output to the end. */
  readonly tokensPerSecond: number | null;
  /** Seconds from the request to the end. */
  readonly seconds: number | null;
}

/** Everything that a message shows, from its node and the answer that runs over it (null: none does). */
export function contentOf(node: MessageNode, live: LiveRun | null): MessageContent {
  const last = node.steps.at(-1);
  if (live === null) {
    return {
      status: node.status,
      parts: keyed(node.steps),
      model: last?.model ?? null,
      error: last?.error ?? null,
      finishReason: last?.finishReason ?? null,
      usage: summarise(node.steps),
      steps: node.steps,
      run: null,
    };
  }
  const running = [...live.earlier, { step: live.step, parts: live.parts }];
  const stored = node.steps.filter((step) => running.every((entry) => entry.step !== step.step));
  return {
    status: 'running',
    parts: keyed([...stored, ...running].sort((a, b) => a.step - b.step)),
    model: live.model,
    error: null,
    finishReason: null,
    usage: null,
    steps: stored,
    run: { phase: live.phase, startedAt: live.startedAt, retry: live.retry, wait: live.wait },
  };
}

/** What was done rather than said. */
export type ProcessPart = Extract<Part, { type: 'reasoning' | 'tool' | 'hosted' }>;

/** What is drawn of something that was done. */
export type WorkBlock =
  | Extract<Block, { type: 'process' }>
  | { readonly type: 'part'; readonly key: string; readonly part: Extract<Part, { type: 'tool' | 'hosted' }> };

/** Whether a block shows what was done. */
export function isWork(block: Block): block is WorkBlock {
  return block.type === 'process' || (block.type === 'part' && (block.part.type === 'tool' || block.part.type === 'hosted'));
}

/** What stands under each other in a message: one part, everything that was done between two texts, or the files beside each other. */
export type Block =
  | { readonly type: 'process'; readonly key: string; readonly parts: readonly { readonly key: string; readonly part: ProcessPart }[] }
  | { readonly type: 'part'; readonly key: string; readonly part: Exclude<Part, MediaPart | CitationPart> }
  | { readonly type: 'files'; readonly key: string; readonly files: readonly { readonly key: string; readonly part: MediaPart }[] };

/**
 * The parts as they are drawn: neighbouring files together, without sources, which stand below, without text that says nothing, and while the
 * answer is written without what the provider's server has not finished: the status line tells of that.
 */
export function blocksOf(parts: readonly KeyedPart[], isRunning: boolean): readonly Block[] {
  const blocks: Block[] = [];
  for (const { key, part } of parts) {
    if (part.type === 'citation' || (part.type === 'text' && part.text === '')) continue;
    if (isRunning && part.type === 'hosted' && part.status === 'running') continue;
    const last = blocks.at(-1);
    if (part.type === 'reasoning' || part.type === 'tool' || part.type === 'hosted') {
      if (last?.type === 'process') blocks[blocks.length - 1] = { ...last, parts: [...last.parts, { key, part }] };
      else blocks.push({ type: 'process', key, parts: [{ key, part }] });
    } else if (part.type !== 'media') blocks.push({ type: 'part', key, part });
    else if (last?.type === 'files') blocks[blocks.length - 1] = { ...last, files: [...last.files, { key, part }] };
    else blocks.push({ type: 'files', key, files: [{ key, part }] });
  }
  return blocks.flatMap(toProcess);
}

/** Thoughts and searches alone stand as they are; several parts are folded where tools were used among them. */
function toProcess(block: Block): readonly Block[] {
  if (block.type !== 'process') return [block];
  if (block.parts.length > 1 && block.parts.some(({ part }) => part.type === 'tool')) return [block];
  return block.parts.map(({ key, part }) => ({ type: 'part', key, part }));
}

/** Grows with everything that a reader sees come. */
export function shownSize(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + 1 + (block.type === 'part' && 'text' in block.part ? block.part.text.length : 0), 0);
}

/** What the provider's server is busy with; null when nothing. */
export function workingPart(parts: readonly KeyedPart[]): HostedPart | null {
  const last = parts.findLast(({ part }) => part.type === 'hosted' && part.status === 'running')?.part;
  return last?.type === 'hosted' ? last : null;
}

/** Pages that the answer names, or where it searched and named none, those that its text links to. */
export function namedSources({ parts, status }: MessageContent): readonly Source[] {
  const named = sourcesOf(parts.flatMap(({ part }) => (part.type === 'citation' ? [part] : [])));
  if (named.length > 0 || status === 'running' || !hasBareSearch(parts)) return named;
  return sourcesOf(parts.flatMap(({ part }) => (part.type === 'text' ? linksIn(part.text) : [])));
}

function hasBareSearch(parts: readonly KeyedPart[]): boolean {
  const searches = parts.flatMap(({ part }) => (part.type === 'hosted' && hostedKind(part.name) === 'search' ? [part] : []));
  return searches.length > 0 && searches.every(({ sources }) => sources.length === 0);
}

/** Whether an answer can go on: it has words, or a step that ended in calls. Half a call alone is nothing to go on from. */
export function canGoOn(content: MessageContent): boolean {
  return (
    hasText(content) ||
    content.steps.some(({ finishReason, parts }) => finishReason !== undefined && parts.some(({ type }) => type === 'tool'))
  );
}

/** Whether there are words. */
export function hasText(content: MessageContent): boolean {
  return content.parts.some(({ part }) => part.type === 'text' && part.text.trim() !== '');
}

/** An answer that came all at once says nothing about the model's speed. */
const MIN_MEASURED_SECONDS = 0.5;

/** Tokens and time over all steps; null where no step says anything. */
export function summarise(steps: readonly StepContent[]): UsageSummary | null {
  const inputTokens = steps.findLast((step) => step.usage?.inputTokens !== undefined)?.usage?.inputTokens ?? null;
  const outputTokens = sumOrNull(steps.map((step) => step.usage?.outputTokens));
  const seconds = secondsOf(steps, (step) => step.startedAt);
  const writing = secondsOf(steps, (step) => step.firstOutputAt);
  const tokensPerSecond = outputTokens !== null && writing !== null && writing >= MIN_MEASURED_SECONDS ? outputTokens / writing : null;
  if (inputTokens === null && outputTokens === null && seconds === null) return null;
  return { inputTokens, outputTokens, tokensPerSecond, seconds };
}

function keyed(steps: readonly { readonly step: number; readonly parts: readonly Part[] }[]): readonly KeyedPart[] {
  return steps.flatMap((step) => step.parts.map((part, index) => ({ key: `${step.step}-${index}-${part.type}`, part })));
}

function secondsOf(steps: readonly StepContent[], from: (step: StepContent) => number | undefined): number | null {
  const milliseconds = sumOrNull(
    steps.map((step) => {
      const start = from(step);
      return start === undefined || step.endedAt === undefined ? undefined : Math.max(0, step.endedAt - start);
    }),
  );
  return milliseconds === null ? null : milliseconds / 1000;
}

function sumOrNull(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
