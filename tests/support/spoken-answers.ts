import type { JsonObject } from '../../src/core/errors';

/** One step of a model as a test writes it. */
export interface SpokenStep {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: JsonObject }[];
}

export const SPOKEN_PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'google-generative'] as const;
export type SpokenProtocol = (typeof SPOKEN_PROTOCOLS)[number];

/** What a server of a protocol answers to say this step, as one document or as a stream. */
export function spoken(protocol: SpokenProtocol, step: SpokenStep, isStream: boolean): Response {
  const { whole, events } = SPEAKERS[protocol](step);
  if (!isStream) return new Response(JSON.stringify(whole), { headers: { 'content-type': 'application/json' } });
  const body = events.map(({ name, data }) => `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`).join('');
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

interface Said {
  readonly whole: JsonObject;
  readonly events: readonly { readonly name?: string; readonly data: string }[];
}

const named = (data: JsonObject & { readonly type: string }) => ({ name: data.type, data: JSON.stringify(data) });
const plain = (data: JsonObject) => ({ data: JSON.stringify(data) });

/** A text in two pieces, as streams bring it. */
const halves = (text: string): readonly string[] => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];

const SPEAKERS: { readonly [P in SpokenProtocol]: (step: SpokenStep) => Said } = {
  'openai-chat': ({ text = '', calls = [] }) => {
    const toolCalls = calls.map(({ id, name, args }, index) => ({
      index,
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const reason = calls.length === 0 ? 'stop' : 'tool_calls';
    const chunk = (delta: JsonObject, finish: string | null) =>
      plain({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] });
    return {
      whole: {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls: toolCalls }) },
            finish_reason: reason,
          },
        ],
      },
      events: [
        ...halves(text).map((content) => chunk({ content }, null)),
        ...toolCalls.flatMap((call) => [
          chunk({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] }, null),
          ...halves(call.function.arguments).map((piece) =>
            chunk({ tool_calls: [{ index: call.index, function: { arguments: piece } }] }, null),
          ),
        ]),
        chunk({}, reason),
        { data: '[DONE]' },
      ],
    };
  },
  'openai-responses': ({ text = '', calls = [] }) => {
    const message = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    };
    const items = [
      ...(text === '' ? [] : [message]),
      ...calls.map(({ id, name, args }) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: JSON.stringify(args),
        status: 'completed',
      })),
    ];
    const whole = { id: 'r', object: 'response', status: 'completed', model: 'm', output: items };
    return {
      whole,
      events: [
        named({ type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } }),
        ...items.flatMap((item, index) => [
          named({
            type: 'response.output_item.added',
            output_index: index,
            item: item.type === 'message' ? { ...item, content: [] } : { ...item, arguments: '' },
          }),
          ...(item.type === 'message'
            ? halves(text).map((delta) =>
                named({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: index, content_index: 0, delta }),
              )
            : [
                named({
                  type: 'response.function_call_arguments.delta',
                  item_id: 'fc',
                  output_index: index,
                  delta: 'arguments' in item ? item.arguments : '',
                }),
              ]),
          named({ type: 'response.output_item.done', output_index: index, item }),
        ]),
        named({ type: 'response.completed', response: whole }),
      ],
    };
  },
  'anthropic-messages': ({ text = '', calls = [] }) => {
    const blocks = [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
    ];
    const reason = calls.length === 0 ? 'end_turn' : 'tool_use';
    const head = { id: 'm', type: 'message', role: 'assistant', model: 'm' };
    return {
      whole: { ...head, content: blocks, stop_reason: reason, usage: { input_tokens: 1, output_tokens: 1 } },
      events: [
        named({
          type: 'message_start',
          message: { ...head, content: [], stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } },
        }),
        ...blocks.flatMap((block, index) => [
          named({
            type: 'content_block_start',
            index,
            content_block: 'input' in block ? { ...block, input: {} } : { type: 'text', text: '' },
          }),
          ...('input' in block
            ? halves(JSON.stringify(block.input)).map((piece) =>
                named({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: piece } }),
              )
            : halves(text).map((piece) => named({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } }))),
          named({ type: 'content_block_stop', index }),
        ]),
        named({ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 1 } }),
        named({ type: 'message_stop' }),
      ],
    };
  },
  'google-generative': ({ text = '', calls = [] }) => {
    const parts = (said: string): JsonObject[] => (said === '' ? [] : [{ text: said }]);
    const functionCalls = calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }));
    const document = (content: readonly JsonObject[], finishReason?: string): JsonObject => ({
      candidates: [{ index: 0, content: { role: 'model', parts: content }, ...(finishReason === undefined ? {} : { finishReason }) }],
    });
    return {
      whole: document([...parts(text), ...functionCalls], 'STOP'),
      events: [
        ...halves(text).flatMap((piece) => (piece === '' ? [] : [plain(document(parts(piece)))])),
        ...functionCalls.map((call) => plain(document([call]))),
        plain(document([], 'STOP')),
      ],
    };
  },
};
