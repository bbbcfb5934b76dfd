import type { Preset } from '../core/protocol';

const remote = { provider: 'openai-chat', key: 'required', local: false } as const;
const local = { provider: 'openai-chat', key: 'optional', local: true } as const;

/** Known places that speak a protocol of ours, local servers first. A page can call each of them directly. */
export const PRESETS: readonly Preset[] = [
  { ...local, id: 'ollama', name: 'Ollama', baseUrl: 'http://localhost:11434/v1' },
  { ...local, id: 'lmstudio', name: 'LM Studio', baseUrl: 'http://localhost:1234/v1' },
  { ...local, id: 'llamacpp', name: 'llama.cpp', baseUrl: 'http://localhost:8080/v1' },
  { ...local, id: 'vllm', name: 'vLLM', baseUrl: 'http://localhost:8000/v1' },
  { ...remote, id: 'openai', name: 'OpenAI', baseUrl: 'https://api.openai.com/v1', keyUrl: 'https://platform.openai.com/api-keys' },
  {
    ...remote,
    id: 'openai-responses',
    provider: 'openai-responses',
    name: 'OpenAI (Responses)',
    baseUrl: 'https://api.openai.com/v1',
    keyUrl: 'https://platform.openai.com/api-keys',
  },
  {
    ...remote,
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyUrl: 'https://openrouter.ai/settings/keys',
  },
  {
    ...remote,
    id: 'anthropic',
    provider: 'anthropic-messages',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyUrl: 'https://console.anthropic.com/settings/keys',
  },
  {
    ...remote,
    id: 'gemini',
    provider: 'google-generative',
    name: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyUrl: 'https://aistudio.google.com/apikey',
  },
  { ...remote, id: 'deepseek', name: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1', keyUrl: 'https://platform.deepseek.com/api_keys' },
  { ...remote, id: 'groq', name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1', keyUrl: 'https://console.groq.com/keys' },
  { ...remote, id: 'mistral', name: 'Mistral', baseUrl: 'https://api.mistral.ai/v1', keyUrl: 'https://console.mistral.ai/api-keys' },
  { ...remote, id: 'xai', name: 'xAI', baseUrl: 'https://api.x.ai/v1', keyUrl: 'https://console.x.ai' },
  {
    ...remote,
    id: 'moonshot',
    name: 'Moonshot AI',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyUrl: 'https://platform.moonshot.ai/console/api-keys',
  },
  {
    ...remote,
    id: 'qwen',
    name: 'Alibaba Qwen',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyUrl: 'https://modelstudio.console.alibabacloud.com/?tab=api#/api-key',
  },
  { ...remote, id: 'zai', name: 'Z.ai', baseUrl: 'https://api.z.ai/api/paas/v4', keyUrl: 'https://z.ai/manage-apikey/apikey-list' },
  {
    ...remote,
    id: 'bigmodel',
    name: 'BigModel (GLM)',
    baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
    keyUrl: 'https://open.bigmodel.cn/usercenter/apikeys',
  },
  {
    ...remote,
    id: 'together',
    name: 'Together AI',
    baseUrl: 'https://api.together.xyz/v1',
    keyUrl: 'https://api.together.ai/settings/api-keys',
  },
  {
    ...remote,
    id: 'perplexity',
    name: 'Perplexity',
    baseUrl: 'https://api.perplexity.ai',
    keyUrl: 'https://www.perplexity.ai/settings/api',
  },
  { ...remote, id: 'azure', name: 'Azure OpenAI', baseUrl: '' },
  { ...remote, id: 'custom', name: 'OpenAI-compatible', baseUrl: '', key: 'optional' },
  { ...remote, id: 'custom-messages', provider: 'anthropic-messages', name: 'Messages-compatible', baseUrl: '', key: 'optional' },
  { ...remote, id: 'custom-responses', provider: 'openai-responses', name: 'Responses-compatible', baseUrl: '', key: 'optional' },
];
