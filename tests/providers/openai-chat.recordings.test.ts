import { createOpenAiChat } from '../../src/providers/openai-chat';
import { describeRecordings } from './recordings';

describeRecordings(createOpenAiChat(), { api: 'openai-chat', atLeast: 69 });
