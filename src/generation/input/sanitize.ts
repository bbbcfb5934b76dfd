import type { InputTransformer, WorkingMessage, WorkingRequest } from './transformer';

type WorkingPart = WorkingMessage['parts'][number];

/**
 * Makes a request that a strict server takes: blank text and empty turns are left out, neighbours of one role joined, reasoning goes only
 * with what it led to, and where no tools are offered earlier calls are told in words, because servers refuse calls of tools that they
 * don't know.
 */
export const sanitize: InputTransformer = {
  id: 'sanitize',
  apply(request) {
    const history: WorkingMessage[] = [];
    for (const message of request.history) {
      const parts = message.parts.flatMap((part, index) =>
        isLoose(part, message.parts.slice(index + 1), request) ? [] : toSendable(part, request),
      );
      if (!parts.some(isSubstance)) continue;
      const last = history.at(-1);
      if (last?.role === message.role) history[history.length - 1] = { role: last.role, parts: [...last.parts, ...parts] };
      else history.push({ role: message.role, parts });
    }
    return { ...request, system: request.system.filter((block) => block.trim() !== ''), history };
  },
};

function toSendable(part: WorkingPart, request: WorkingRequest): readonly WorkingPart[] {
  // An empty text can carry a signature that has to come back.
  if (part.type === 'text') return part.text.trim() === '' && part.opaque === undefined ? [] : [part];
  if (part.type !== 'tool-call' || !isTold(part, request)) return [part];
  return [
    { type: 'text', text: `[Earlier call of the tool ${part.name} with ${part.argumentsText || '{}'}. Its result: ${part.result.text}]` },
  ];
}

/** A thought that led to nothing, or to a call that goes back in other words: servers want both as they were, or neither. */
function isLoose(part: WorkingPart, after: readonly WorkingPart[], request: WorkingRequest): boolean {
  if (part.type !== 'reasoning') return false;
  const outcome = after.find(isSubstance);
  return outcome === undefined || isTold(outcome, request);
}

function isTold(part: WorkingPart, request: WorkingRequest): boolean {
  return part.type === 'tool-call' && request.tools.length === 0;
}

function isSubstance(part: WorkingPart): boolean {
  return part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning';
}
