import { AppError } from '../core/errors';
import { partsOf, type MessageNode } from '../core/node';
import type { ModelRequest, RequestMessage, RequestPart } from '../core/request';
import { INPUT_TRANSFORMERS } from './input';
import type { WorkingMessage, WorkingRequest } from './input/transformer';
import { SYSTEM_BLOCKS } from './system';
import type { TurnContext } from './turn-context';

/** The request of one model step: system blocks, the branch up to here, then every input transformer in order. */
export async function buildRequest(turn: TurnContext): Promise<ModelRequest> {
  let request: WorkingRequest = {
    modelId: turn.model.modelId,
    system: SYSTEM_BLOCKS.flatMap((block) => block.text(turn) ?? []),
    history: turn.path.map(toMessage),
    tools: [],
    sampling: turn.account.sampling,
    reasoning: turn.account.reasoning,
    stream: turn.account.streaming,
    toolChoice: 'auto',
    hostedSearch: (turn.account.hostedSearch ?? false) && (turn.capabilities.hostedSearch ?? false),
    store: turn.account.store ?? false,
    cacheKey: turn.conversationId,
  };
  for (const transformer of INPUT_TRANSFORMERS) {
    request = await transformer.apply(request, turn);
    turn.signal.throwIfAborted();
  }
  return { ...request, history: request.history.map(seal) };
}

/** What of a stored message a model reads: text and pictures. Reasoning and refusals are not sent back. */
function toMessage(node: MessageNode): WorkingMessage {
  const parts = partsOf(node).flatMap((part): WorkingMessage['parts'] => {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }];
      case 'media':
        return [part];
      case 'reasoning':
      case 'refusal':
      case 'tool':
        return [];
    }
  });
  return { role: node.role === 'assistant' ? 'assistant' : 'user', parts };
}

function seal(message: WorkingMessage): RequestMessage {
  const parts = message.parts.map((part): RequestPart => {
    if (part.type === 'media') throw new AppError('internal', { details: { mediaLeft: part.name } });
    return part;
  });
  return { role: message.role, parts };
}
