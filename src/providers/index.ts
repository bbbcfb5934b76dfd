import { anthropicMessages } from './anthropic-messages';
import { googleGenerative } from './google-generative';
import { openAiChat } from './openai-chat';
import { openAiResponses } from './openai-responses';
import type { Provider } from './provider';

/** Every protocol and engine, in the order in which the settings offer them. */
export const PROVIDERS: readonly Provider[] = [openAiChat, openAiResponses, anthropicMessages, googleGenerative];
