import type { MediaPart, MessageNode, OpaqueData, Part, StepContent, ToolPart } from '../core/node';
import type { Json } from '../core/errors';
import type { WorkingMessage } from './input/transformer';
import type { TurnContext } from './turn-context';

type WorkingPart = WorkingMessage['parts'][number];

/** A result for a call that never ran: every call that is sent has one, or the server refuses the whole request. */
const NOT_RUN = 'This call was not run: the answer was interrupted before it could be.';
/** It had begun: nobody knows how far it came. */
const CUT_SHORT = 'This call was cut short by an interruption. It may or may not have had its effect.';

/** What of a message goes into a request. */
export type StoredMessage = Pick<MessageNode, 'id' | 'role' | 'steps'>;

/** A stored message as this turn's model may read it. What other models marked for themselves stays here. */
export function toMessage(node: StoredMessage, turn: TurnContext): WorkingMessage {
  const parts = node.steps.flatMap((step) => step.parts.flatMap((part) => toWorkingParts(part, { step, nodeId: node.id }, turn)));
  return { role: node.role === 'assistant' ? 'assistant' : 'user', parts };
}

/** Where a part stands. */
interface Place {
  readonly step: StepContent;
  readonly nodeId: string;
}

function toWorkingParts(part: Part, { step, nodeId }: Place, turn: TurnContext): readonly WorkingPart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...opaqueFor(turn, part.opaque) }];
    case 'media':
      return [part];
    case 'reasoning': {
      // Thoughts are only ever the business of the model that had them.
      const isOwn = step.model?.accountId === turn.model.accountId && step.model.modelId === turn.model.modelId;
      return isOwn ? [{ type: 'reasoning', text: part.text, ...opaqueFor(turn, part.opaque) }] : [];
    }
    case 'tool':
      return [toToolCall(part, { step, nodeId }, turn)];
    case 'hosted': {
      const { opaque } = opaqueFor(turn, part.opaque);
      return opaque === undefined ? [] : [{ type: 'hosted', id: part.id, name: part.name, opaque }];
    }
    case 'refusal':
    case 'citation':
      return [];
  }
}

/**
 * A call with its result. Pictures of a tool go to the model while the answer that asked for them is written, and never again: later requests name
 * them.
 */
function toToolCall(part: ToolPart, { step, nodeId }: Place, turn: TurnContext): WorkingPart {
  const { callId, wireId, name, argumentsText, result } = part;
  const media = result?.media ?? [];
  const isShown = nodeId === turn.nodeId;
  const text = resultText(part, isShown ? media.filter(({ kind }) => kind !== 'image') : media);
  return {
    type: 'tool-call',
    callId,
    wireId,
    name,
    argumentsText,
    step: `${nodeId}:${String(step.step)}`,
    ...opaqueFor(turn, part.opaque),
    ...(isShown && media.length > 0 ? { pictures: media.filter(({ kind }) => kind === 'image') } : {}),
    result: { text, isError: result === undefined || part.execution === 'failed', images: [] },
  };
}

/** What the model reads of a call: that the user changed it, what came of it, and which files it showed. */
function resultText({ editedArguments, startedAt, result }: ToolPart, files: readonly MediaPart[]): string {
  const edit = editedArguments === undefined ? [] : [`The user changed the arguments before it ran, to: ${editedArguments}`];
  const notes = files.map(({ name }) => `[The file “${name}” was shown to the user.]`);
  return [...edit, result?.text ?? (startedAt === undefined ? NOT_RUN : CUT_SHORT), ...notes].filter((line) => line !== '').join('\n\n');
}

/** Opaque data for the request, if this very provider and model sent it. */
function opaqueFor(turn: TurnContext, opaque: OpaqueData | undefined): { opaque?: Json } {
  return opaque?.provider === turn.provider.id && opaque.modelId === turn.model.modelId ? { opaque: opaque.data } : {};
}
