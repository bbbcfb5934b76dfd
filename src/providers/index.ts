import { lazyProvider } from './lazy-provider';
import type { Provider } from './provider';

/** Every protocol and engine, in the order in which the settings offer them. */
export const PROVIDERS: readonly Provider[] = [
  lazyProvider('openai-chat', 'OpenAI Chat Completions', async () => (await import('./openai-chat')).openAiChat),
  lazyProvider('openai-responses', 'OpenAI Responses', async () => (await import('./openai-responses')).openAiResponses),
  lazyProvider('anthropic-messages', 'Anthropic Messages', async () => (await import('./anthropic-messages')).anthropicMessages),
  lazyProvider('google-generative', 'Google Gemini', async () => (await import('./google-generative')).googleGenerative),
  lazyProvider('local-engine', 'On this device', async () => (await import('./on-device')).onDevice),
  lazyProvider('browser-model', 'Browser', async () => (await import('./browser-model')).browserModel),
];
