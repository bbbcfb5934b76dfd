import { AppError } from '../core/errors';
import type { ModelRequest, RequestMessage, RequestPart } from '../core/request';
import { toMessage, type StoredMessage } from './history';
import { INPUT_TRANSFORMERS } from './input';
import type { WorkingMessage, WorkingRequest } from './input/transformer';
import { SYSTEM_BLOCKS } from './system';
import type { TurnContext } from './turn-context';

/** The request of one model step: system blocks, the branch up to here, then every input transformer in order. */
export async function buildRequest(turn: TurnContext): Promise<ModelRequest> {
  let request: WorkingRequest = {
    modelId: turn.model.modelId,
    system: SYSTEM_BLOCKS.flatMap((block) => block.text(turn) ?? []),
    history: [...turn.path, ...answerOf(turn)].map((node) => toMessage(node, turn)),
    tools: [],
    sampling: turn.account.sampling,
    reasoning: turn.facts.controls.thinking ? turn.account.reasoning : 'off',
    stream: turn.account.streaming,
    toolChoice: 'auto',
    hostedSearch: turn.facts.controls.webSearch && (turn.account.hostedSearch ?? false) && (turn.capabilities.hostedSearch ?? false),
    store: turn.account.store ?? false,
    cacheKey: turn.conversationId,
  };
  for (const transformer of INPUT_TRANSFORMERS) {
    request = await transformer.apply(request, turn);
    turn.signal.throwIfAborted();
  }
  return { ...request, history: request.history.map(seal) };
}

/** What the answer says so far. */
function answerOf({ nodeId, steps }: TurnContext): readonly StoredMessage[] {
  return steps.length === 0 ? [] : [{ id: nodeId, role: 'assistant', steps }];
}

function seal(message: WorkingMessage): RequestMessage {
  const parts = message.parts.map((part): RequestPart => {
    if (part.type === 'media') throw new AppError('internal', { details: { mediaLeft: part.name } });
    return part;
  });
  return { role: message.role, parts };
}
