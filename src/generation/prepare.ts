import { toAppError } from '../core/errors';
import type { MessageNode, Part } from '../core/node';
import { profileFor } from '../core/profile';
import { readPath } from '../storage/content';
import { readConversation } from '../storage/conversations';
import { readModelList } from '../storage/model-lists';
import { readSettings } from '../storage/settings';
import type { TurnFacts } from '../tools/tool';
import type { Desk } from './desk';
import type { Environment } from './environment';
import { RunEvents } from './hooks/events';
import type { Answer } from './launch';
import { EMPTY_TOOLBOX, toolboxOf, type Toolbox } from './toolbox';
import type { TurnContext } from './turn-context';

/** Everything that stays the same for a turn. Throws storage codes, `node-missing`, and what fetching the tools throws. */
export async function turnContext(desk: Desk, conversationId: string, answer: Answer, signal: AbortSignal): Promise<TurnContext> {
  const { environment } = desk;
  const { database } = environment;
  const { runId, nodeId, choice, steps } = answer;
  const [path, settings, conversation, listed] = await Promise.all([
    readPath(database, conversationId, answer.pathTo),
    readSettings(database),
    readConversation(database, conversationId),
    readModelList(database, choice.account.id),
  ]);
  const controls = conversation?.controls ?? settings.controls;
  const profile = profileFor(controls, choice.capabilities);
  const facts: TurnFacts = {
    controls,
    capabilities: choice.capabilities,
    conversationId,
    assistantId: conversation?.assistantId ?? '',
    ...findings(
      path,
      steps.flatMap(({ parts }) => parts),
    ),
    makesImages: (choice.provider.imageModel?.(choice.account, listed ?? []) ?? null) !== null,
  };
  const layers = [conversation?.toolPolicies ?? {}, settings.toolPolicies];
  const toolbox: Toolbox = profile.toolTransport === 'none' ? EMPTY_TOOLBOX : toolboxOf(await environment.tools(), facts, layers);
  const { model, account, provider, capabilities } = choice;
  return {
    environment,
    conversationId,
    runId,
    nodeId,
    path,
    steps,
    model,
    account,
    provider,
    capabilities,
    profile,
    facts,
    toolbox,
    questionTimeoutMs: settings.questionTimeoutMs,
    events: new RunEvents(
      { conversationId, runId, nodeId, model, provider: provider.id, mode: controls.mode },
      environment.runSubscribers,
      (error) => {
        desk.feed.notice(toAppError(error), conversationId);
      },
    ),
    continued: [],
    now: clockOf(environment),
    signal,
  };
}

/** What of the branch tools can work with. */
function findings(path: readonly MessageNode[], answer: readonly Part[]): Pick<TurnFacts, 'hasStoredOutputs' | 'hasFiles'> {
  const parts = [...path.flatMap((node) => node.steps.flatMap((step) => step.parts)), ...answer];
  return {
    hasStoredOutputs: parts.some((part) => part.type === 'tool' && part.result?.stored !== undefined),
    hasFiles: parts.some((part) => part.type === 'media' || (part.type === 'tool' && (part.result?.media.length ?? 0) > 0)),
  };
}

/** The time of day as it is now, going on by what has passed since. */
function clockOf(environment: Environment): () => number {
  const startedAt = environment.now();
  const beganMs = environment.elapsed();
  return () => startedAt + Math.round(environment.elapsed() - beganMs);
}
