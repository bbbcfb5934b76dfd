import * as v from 'valibot';
import { REASONING_LEVELS, type Account } from '../core/account';
import type { Draft } from '../core/draft';
import { ERROR_CODES, type Json, type JsonObject } from '../core/errors';
import { TOOL_FAILURES, type ModelReference, type StepContent } from '../core/node';
import { LANGUAGES, TEXT_SIZES, THEMES, type Settings } from '../core/settings';
import { CHAT_MODES, TOOL_POLICIES, type ChatControls, type ToolPolicies } from '../core/tool';

/** The last moment that a `Date` can hold, epoch ms. */
const LAST_MOMENT = 8.64e15;

/** A whole number from 0 up to where arithmetic stays exact. */
export const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Epoch ms. */
export const momentSchema = v.pipe(v.number(), v.minValue(0), v.maxValue(LAST_MOMENT));
export const idSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
/** Only the web's: an imported link must not be a script. */
const webAddressSchema = v.pipe(v.string(), v.regex(/^https?:\/\//i));
export const hashSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const jsonSchema: v.GenericSchema<Json> = v.lazy(() =>
  v.union([v.null(), v.boolean(), v.number(), v.string(), v.array(jsonSchema), v.record(v.string(), jsonSchema)]),
);
const jsonObjectSchema: v.GenericSchema<JsonObject> = v.record(v.string(), jsonSchema);

export const modelReferenceSchema: v.GenericSchema<ModelReference> = v.object({ accountId: idSchema, modelId: v.string() });

const attachmentEntries = {
  kind: v.picklist(['image', 'audio', 'document']),
  blob: hashSchema,
  mimeType: v.string(),
  name: v.string(),
  sizeBytes: countSchema,
};

const opaqueSchema = v.exactOptional(v.object({ provider: v.string(), modelId: v.string(), data: jsonSchema }));
const mediaSchema = v.object({ type: v.literal('media'), step: countSchema, ...attachmentEntries });

const questionSchema = v.object({
  id: v.string(),
  prompt: v.string(),
  header: v.exactOptional(v.string()),
  options: v.array(v.object({ label: v.string(), description: v.exactOptional(v.string()), isRecommended: v.boolean() })),
});

const partSchema = v.variant('type', [
  v.object({ type: v.literal('text'), step: countSchema, text: v.string(), opaque: opaqueSchema }),
  v.object({
    type: v.literal('reasoning'),
    step: countSchema,
    text: v.string(),
    startedAt: momentSchema,
    endedAt: v.exactOptional(momentSchema),
    opaque: opaqueSchema,
  }),
  v.object({ type: v.literal('refusal'), step: countSchema, text: v.string() }),
  mediaSchema,
  v.object({
    type: v.literal('tool'),
    step: countSchema,
    callId: v.string(),
    wireId: v.string(),
    name: v.string(),
    argumentsText: v.string(),
    approval: v.picklist(['auto', 'pending', 'approved', 'denied', 'answered']),
    execution: v.picklist(['open', 'running', 'done', 'failed', 'interrupted']),
    editedArguments: v.exactOptional(v.string()),
    reason: v.exactOptional(v.string()),
    questions: v.exactOptional(v.array(questionSchema)),
    deadline: v.exactOptional(
      v.variant('type', [
        v.object({ type: v.literal('at'), at: momentSchema }),
        v.object({ type: v.literal('paused'), leftMs: countSchema }),
      ]),
    ),
    startedAt: v.exactOptional(momentSchema),
    endedAt: v.exactOptional(momentSchema),
    progress: v.exactOptional(v.string()),
    failure: v.exactOptional(v.picklist(TOOL_FAILURES)),
    result: v.exactOptional(
      v.object({
        text: v.string(),
        media: v.array(mediaSchema),
        data: v.exactOptional(jsonSchema),
        stored: v.exactOptional(v.object({ blob: hashSchema, path: v.string(), characters: countSchema })),
      }),
    ),
    opaque: opaqueSchema,
  }),
  v.object({
    type: v.literal('citation'),
    step: countSchema,
    url: webAddressSchema,
    title: v.string(),
    citedText: v.exactOptional(v.string()),
    textOffset: countSchema,
  }),
  v.object({
    type: v.literal('hosted'),
    step: countSchema,
    id: v.string(),
    name: v.string(),
    status: v.picklist(['running', 'done', 'failed']),
    queries: v.array(v.string()),
    sources: v.array(v.object({ url: webAddressSchema, title: v.string() })),
    opaque: opaqueSchema,
  }),
]);

const usageSchema = v.object({
  inputTokens: v.exactOptional(countSchema),
  outputTokens: v.exactOptional(countSchema),
  reasoningTokens: v.exactOptional(countSchema),
  cachedTokens: v.exactOptional(countSchema),
  cacheWriteTokens: v.exactOptional(countSchema),
});

const errorDataSchema = v.object({ code: v.picklist(ERROR_CODES), retryable: v.boolean(), details: jsonObjectSchema });

export const stepContentSchema: v.GenericSchema<StepContent> = v.object({
  step: countSchema,
  parts: v.array(partSchema),
  model: v.exactOptional(modelReferenceSchema),
  usage: v.exactOptional(usageSchema),
  startedAt: v.exactOptional(momentSchema),
  firstOutputAt: v.exactOptional(momentSchema),
  endedAt: v.exactOptional(momentSchema),
  finishReason: v.exactOptional(v.picklist(['stop', 'length', 'tool_calls', 'content_filter', 'pause', 'error', 'other'])),
  error: v.exactOptional(errorDataSchema),
});

export const draftSchema: v.GenericSchema<Draft> = v.object({ text: v.string(), attachments: v.array(v.object(attachmentEntries)) });

const overrideSchema = v.object({
  vision: v.exactOptional(v.boolean()),
  tools: v.exactOptional(v.boolean()),
  reasoning: v.exactOptional(v.boolean()),
  audio: v.exactOptional(v.boolean()),
  documents: v.exactOptional(v.boolean()),
  hostedSearch: v.exactOptional(v.boolean()),
  contextTokens: v.exactOptional(v.nullable(countSchema)),
});

/** An account as it is stored: without its id, without its key. */
export const accountBodySchema: v.GenericSchema<Omit<Account, 'id' | 'hasKey'>> = v.object({
  provider: v.string(),
  preset: v.string(),
  name: v.string(),
  baseUrl: v.string(),
  streaming: v.boolean(),
  reasoning: v.picklist(REASONING_LEVELS),
  sampling: v.object({
    temperature: v.exactOptional(v.number()),
    topP: v.exactOptional(v.number()),
    maxTokens: v.exactOptional(countSchema),
  }),
  headers: v.array(v.object({ name: v.string(), value: v.string() })),
  body: jsonObjectSchema,
  store: v.exactOptional(v.boolean()),
  hostedSearch: v.exactOptional(v.boolean()),
  overrides: v.record(v.string(), overrideSchema),
});

export const controlsSchema: v.GenericSchema<ChatControls> = v.object({
  mode: v.picklist(CHAT_MODES),
  webSearch: v.boolean(),
  thinking: v.boolean(),
  agentTools: v.boolean(),
});

export const toolPoliciesSchema: v.GenericSchema<ToolPolicies> = v.record(v.string(), v.picklist(TOOL_POLICIES));

/** What each setting may be. */
export const SETTING_SCHEMAS: { readonly [Key in keyof Settings]: v.GenericSchema<Settings[Key]> } = {
  language: v.picklist(LANGUAGES),
  theme: v.picklist(THEMES),
  textSize: v.picklist(TEXT_SIZES),
  sendKey: v.picklist(['enter', 'mod-enter']),
  defaultModel: v.nullable(modelReferenceSchema),
  notifications: v.boolean(),
  offlineLock: v.boolean(),
  // The gate refuses what is no address.
  modelHost: v.string(),
  warmUpModel: v.boolean(),
  controls: controlsSchema,
  toolPolicies: toolPoliciesSchema,
  questionTimeoutMs: v.nullable(countSchema),
  showReasoning: v.boolean(),
};
