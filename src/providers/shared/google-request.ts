import type { JsonObject } from '../../core/errors';
import type { ModelRequest, ToolChoice, ToolDefinition } from '../../core/request';
import { googleContents } from './google-contents';
import { isGemini3, lacksSystem, makesImages, thinkingConfig } from './google-models';
import { mergeBody } from './json-body';
import { geminiSchema } from './tool-schema';
import type { WireNames } from './wire-names';

/** Filters of the server's own would cut answers silently; what is refused then is the model's decision. */
const SAFETY_SETTINGS = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'].map((category) => ({
  category: `HARM_CATEGORY_${category}`,
  threshold: 'OFF',
}));

export interface GoogleBodyOptions {
  /** Whether the model thinks: others are sent no field for it. */
  readonly reasons: boolean;
  /** Whether the host is the maker's own; only there search goes along with functions. */
  readonly isOfficial: boolean;
  readonly names: WireNames;
  /** The account's own fields, merged last. */
  readonly extra: JsonObject;
}

/** The body of a `generateContent` request. A value that nobody set is left out. */
export function googleBody(request: ModelRequest, options: GoogleBodyOptions): JsonObject {
  const { modelId } = request;
  const system = request.system.filter((block) => block.trim() !== '').join('\n\n');
  const hasInstruction = system !== '' && !lacksSystem(modelId) && !makesImages(modelId);
  const body: JsonObject = {
    contents: googleContents(request.history, { modelId, system, toWire: (name) => options.names.toWire(name) }),
    ...(hasInstruction ? { systemInstruction: { parts: [{ text: system }] } } : {}),
    ...toolFields(request, options),
    safetySettings: SAFETY_SETTINGS,
    ...generationConfig(request, options.reasons),
  };
  return mergeBody(body, options.extra);
}

function generationConfig(request: ModelRequest, reasons: boolean): JsonObject {
  const { temperature, topP, maxTokens } = request.sampling;
  const thinking = reasons ? thinkingConfig(request.reasoning, request.modelId) : undefined;
  const config: JsonObject = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(makesImages(request.modelId) ? { responseModalities: ['TEXT', 'IMAGE'] } : {}),
    ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
  };
  return Object.keys(config).length === 0 ? {} : { generationConfig: config };
}

/** Functions win over search where a model or host can't have both. */
function toolFields(request: ModelRequest, { isOfficial, names }: GoogleBodyOptions): JsonObject {
  const hasFunctions = request.tools.length > 0;
  const canJoin = isOfficial && isGemini3(request.modelId);
  const searches = request.hostedSearch && (!hasFunctions || canJoin);
  const tools: readonly JsonObject[] = [
    ...(hasFunctions ? [{ functionDeclarations: request.tools.map((tool) => declaration(tool, names)) }] : []),
    ...(searches ? [{ googleSearch: {} }] : []),
  ];
  const config: JsonObject = {
    ...(hasFunctions ? callingConfig(request.toolChoice, names) : {}),
    ...(searches && hasFunctions ? { includeServerSideToolInvocations: true } : {}),
  };
  return { ...(tools.length === 0 ? {} : { tools }), ...(Object.keys(config).length === 0 ? {} : { toolConfig: config }) };
}

function declaration(tool: ToolDefinition, names: WireNames): JsonObject {
  const parameters = geminiSchema(tool.parameters);
  return { name: names.toWire(tool.name), description: tool.description, ...(parameters === undefined ? {} : { parameters }) };
}

/** `auto` is what the server does by itself, and beside search the word is refused. */
function callingConfig(choice: ToolChoice, names: WireNames): JsonObject {
  if (choice === 'auto') return {};
  if (choice === 'none') return { functionCallingConfig: { mode: 'NONE' } };
  if (choice === 'required') return { functionCallingConfig: { mode: 'ANY' } };
  return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [names.toWire(choice.name)] } };
}
