import type { Json, JsonObject } from '../../core/errors';
import { isJsonList, isJsonObject } from './json-body';

/** Keywords that Gemini knows and that mean the same there. One unknown keyword anywhere refuses the whole request. */
const GEMINI_KEYWORDS = [
  'description',
  'nullable',
  'pattern',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
] as const;

/** Keywords whose meaning a model can still read in the description. */
const TOLD_KEYWORDS = ['const', 'enum', 'format', 'default', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'] as const;

/** Deeper schemas are recursive or no tool's; what lies below is left to the description. */
const MAX_DEPTH = 12;

/** Keywords of a document, not of a value; strict servers refuse them. */
const DOCUMENT_KEYWORDS: readonly string[] = ['$schema', '$id', '$comment'];

/**
 * A tool's parameters for OpenAI-compatible hosts: always an object schema with `properties`, without the keywords of a document. Choices
 * at the top (`anyOf`, `oneOf`, `allOf`), which several hosts refuse there, become one object that takes the properties of all of them.
 */
export function plainSchema(parameters: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, ...rest } = withoutKeys(parameters, DOCUMENT_KEYWORDS);
  const choices = [anyOf, oneOf].flatMap(objectsIn);
  const all = objectsIn(allOf);
  const properties = [...choices, ...all, rest].map((schema) => objectAt(schema, 'properties'));
  const required = [...all, rest].flatMap((schema) => textsIn(schema['required']));
  return {
    ...rest,
    type: 'object',
    properties: merge(properties),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

/**
 * A tool's parameters in the subset that Gemini takes, or undefined where there are none: references are put in place, `const` becomes
 * `enum`, `null` becomes `nullable`, and what the subset can't say stands in the description.
 */
export function geminiSchema(parameters: JsonObject): JsonObject | undefined {
  const named = { ...objectAt(parameters, 'definitions'), ...objectAt(parameters, '$defs') };
  const { schema, definitions } = resolve(parameters, named);
  const plain = plainSchema(schema);
  return Object.keys(objectAt(plain, 'properties')).length === 0 ? undefined : convert(plain, definitions, 0);
}

function convert(value: Json | undefined, known: JsonObject, depth: number): JsonObject {
  const { schema, definitions } = mergeAll(isJsonObject(value) ? value : {}, known);
  const told = [...textsIn([schema['description'] ?? '']), ...remarks(schema)];
  const description = told.length === 0 ? {} : { description: told.join(' ') };
  if (depth >= MAX_DEPTH) return { type: 'string', ...description };
  const choices = branchesOf(schema);
  const branches = choices.filter((branch) => branch['type'] !== 'null');
  const nullable = branches.length < choices.length || schema['nullable'] === true ? { nullable: true } : {};
  const [only] = branches;
  if (only !== undefined && branches.length === 1) {
    const inner = convert(only, definitions, depth + 1);
    return { ...inner, ...joined(description, inner), ...nullable };
  }
  // Beside a choice Gemini takes nothing else, so its words go into each branch.
  if (branches.length > 1) {
    return {
      anyOf: branches.map((branch) => {
        const inner = convert(branch, definitions, depth + 1);
        return { ...inner, ...joined(description, inner), ...nullable };
      }),
    };
  }
  const kept = Object.fromEntries(GEMINI_KEYWORDS.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])));
  return { type: typeOf(schema), ...kept, ...description, ...nullable, ...childrenOf(schema, definitions, depth), ...choicesOf(schema) };
}

/** The schema's alternatives: of `anyOf` and `oneOf`, or one a type where it lists several. */
function branchesOf(schema: JsonObject): readonly JsonObject[] {
  const named = [...objectsIn(schema['anyOf']), ...objectsIn(schema['oneOf'])];
  if (named.length > 0) return named;
  const types = schema['type'];
  if (!isJsonList(types)) return [];
  const rest = withoutKeys(schema, ['description', ...TOLD_KEYWORDS.filter((key) => key !== 'enum')]);
  return types.map((type) => (type === 'null' ? { type } : { ...rest, type }));
}

function childrenOf(schema: JsonObject, definitions: JsonObject, depth: number): JsonObject {
  const type = typeOf(schema);
  if (type === 'array') {
    const { items, prefixItems } = schema;
    const listed = [...objectsIn(prefixItems), ...objectsIn(items)];
    const item: JsonObject = isJsonObject(items) ? items : listed.length > 1 ? { anyOf: listed } : (listed[0] ?? {});
    return { items: convert(item, definitions, depth + 1) };
  }
  const properties = Object.entries(objectAt(schema, 'properties'));
  if (type !== 'object' || properties.length === 0) return {};
  const required = textsIn(schema['required']).filter((name) => properties.some(([key]) => key === name));
  return {
    properties: Object.fromEntries(properties.map(([name, property]) => [name, convert(property, definitions, depth + 1)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Only texts can be listed. */
function choicesOf(schema: JsonObject): JsonObject {
  const texts = listedTexts(schema);
  return texts === undefined ? {} : { enum: texts };
}

function listedTexts(schema: JsonObject): readonly string[] | undefined {
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (!isJsonList(values) || typeOf(schema) !== 'string') return undefined;
  const texts = textsIn(values);
  return texts.length === 0 ? undefined : texts;
}

function remarks(schema: JsonObject): readonly string[] {
  const isListed = listedTexts(schema) !== undefined;
  const told = TOLD_KEYWORDS.filter((key) => schema[key] !== undefined && !(isListed && (key === 'const' || key === 'enum')));
  const values = schema['additionalProperties'];
  return [
    ...told.map((key) => `(${key}: ${JSON.stringify(schema[key])})`),
    ...(isJsonObject(values) && Object.keys(values).length > 0 ? [`(any further keys, each value: ${JSON.stringify(values)})`] : []),
  ];
}

interface Resolved {
  readonly schema: JsonObject;
  /** What references below may name: not what was put in place above, or a recursive schema would have no end. */
  readonly definitions: JsonObject;
}

/** What stands for a reference, with the words beside it. */
function resolve(schema: JsonObject, definitions: JsonObject): Resolved {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== 'string') return { schema, definitions };
  const name = reference.split('/').at(-1) ?? '';
  const target = definitions[name];
  if (!isJsonObject(target)) return { schema: { type: 'object', description: `(as ${name})`, ...rest }, definitions };
  const inner = resolve(target, withoutKeys(definitions, [name]));
  return { ...inner, schema: { ...inner.schema, ...rest } };
}

/** The schema with its reference and everything under `allOf` in place. */
function mergeAll(value: JsonObject, known: JsonObject): Resolved {
  const { schema, definitions } = resolve(value, known);
  const { allOf, ...rest } = schema;
  const parts = objectsIn(allOf).map((part) => mergeAll(part, definitions).schema);
  if (parts.length === 0) return { schema: rest, definitions };
  const all = [...parts, rest];
  const properties = merge(all.map((part) => objectAt(part, 'properties')));
  const required = [...new Set(all.flatMap((part) => textsIn(part['required'])))];
  return {
    schema: {
      ...merge(all),
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
    },
    definitions,
  };
}

function typeOf(schema: JsonObject): string {
  const type = schema['type'];
  if (typeof type === 'string') return type.toLowerCase();
  if (schema['properties'] !== undefined) return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array';
  const sample = schema['const'] ?? (isJsonList(schema['enum']) ? schema['enum'][0] : undefined);
  return typeof sample === 'number' || typeof sample === 'boolean' ? typeof sample : 'string';
}

function joined(outer: JsonObject, inner: JsonObject): JsonObject {
  const texts = textsIn([outer['description'] ?? '', inner['description'] ?? '']);
  return texts.length === 0 ? {} : { description: texts.join(' ') };
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key];
  return isJsonObject(value) ? value : {};
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return isJsonList(value) ? value.filter(isJsonObject) : [];
}

function textsIn(value: Json | undefined): readonly string[] {
  return isJsonList(value) ? value.filter((text) => typeof text === 'string').filter((text) => text !== '') : [];
}

function merge(schemas: readonly JsonObject[]): JsonObject {
  return schemas.reduce<JsonObject>((all, schema) => ({ ...all, ...schema }), {});
}

function withoutKeys(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}
