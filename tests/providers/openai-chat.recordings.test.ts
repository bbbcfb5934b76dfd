import { expect } from 'vitest';
import { isList } from '../../src/outbound/json';
import { createOpenAiChat } from '../../src/providers/openai-chat';
import { describeRecordings, opaqueOf } from './recordings';

describeRecordings(createOpenAiChat(), {
  api: 'openai-chat',
  atLeast: 69,
  checkMore: (result, expected) => {
    const details = opaqueOf(result, 'reasoning').flatMap((data) => (isList(data) ? data : [data]));
    expect(details).toEqual(expected['reasoningDetails'] ?? []);
  },
});
