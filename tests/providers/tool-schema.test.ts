import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/errors';
import { geminiSchema, plainSchema } from '../../src/providers/shared/tool-schema';

/** One property through the conversion. */
const property = (schema: JsonObject, more: JsonObject = {}): unknown => {
  const converted = geminiSchema({ type: 'object', properties: { a: schema }, ...more });
  return converted?.['properties'];
};

describe('the subset for Gemini', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['a plain type', { type: 'string', description: 'Words.' }, { type: 'string', description: 'Words.' }],
    ['known limits', { type: 'integer', minimum: 1, maximum: 9 }, { type: 'integer', minimum: 1, maximum: 9 }],
    ['const', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['a number as const', { const: 5 }, { type: 'number', description: '(const: 5)' }],
    ['texts to choose from', { type: 'string', enum: ['a', 'b', ''] }, { type: 'string', enum: ['a', 'b'] }],
    ['numbers to choose from', { type: 'integer', enum: [1, 2] }, { type: 'integer', description: '(enum: [1,2])' }],
    [
      'keywords it does not know',
      { type: 'number', description: 'Price.', exclusiveMinimum: 0, multipleOf: 0.5, $comment: 'x', examples: [1], unknown: true },
      { type: 'number', description: 'Price. (exclusiveMinimum: 0) (multipleOf: 0.5)' },
    ],
    ['format', { type: 'string', format: 'date-time' }, { type: 'string', description: '(format: "date-time")' }],
    ['type or null', { type: ['string', 'null'], minLength: 1 }, { type: 'string', minLength: 1, nullable: true }],
    ['two types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      'a choice with words beside it',
      { description: 'One.', oneOf: [{ type: 'string', description: 'Name.' }, { type: 'integer' }, { type: 'null' }] },
      {
        anyOf: [
          { type: 'string', description: 'One. Name.', nullable: true },
          { type: 'integer', description: 'One.', nullable: true },
        ],
      },
    ],
    ['a choice of one', { anyOf: [{ type: 'boolean' }, { type: 'null' }] }, { type: 'boolean', nullable: true }],
    ['a list without items', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
    [
      'a tuple',
      { prefixItems: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    [
      'objects in objects',
      {
        type: 'object',
        additionalProperties: false,
        required: ['const', 'gone'],
        properties: { const: { type: 'string', const: 'k', $schema: 'x' }, list: { type: 'array', items: { not: {}, type: 'integer' } } },
      },
      {
        type: 'object',
        properties: { const: { type: 'string', enum: ['k'] }, list: { type: 'array', items: { type: 'integer' } } },
        required: ['const'],
      },
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'number' } },
      { type: 'object', description: '(any further keys, each value: {"type":"number"})' },
    ],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
          { properties: { y: { type: 'string' } }, required: ['y'] },
        ],
      },
      { type: 'object', properties: { x: { type: 'string' }, y: { type: 'string' } }, required: ['x', 'y'] },
    ],
    ['nothing said', {}, { type: 'string' }],
  ])('%s', (_name, schema, expected) => {
    expect(property(schema)).toEqual({ a: expected });
  });

  test('references are put in place, and a schema that names itself has an end', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, label: { $ref: '#/$defs/text' } } };
    expect(property({ $ref: '#/$defs/node', description: 'First.' }, { $defs: { node, text: { type: 'string', format: 'uri' } } })).toEqual(
      {
        a: {
          type: 'object',
          description: 'First.',
          properties: {
            next: { type: 'object', description: '(as node)' },
            label: { type: 'string', description: '(format: "uri")' },
          },
        },
      },
    );
  });

  test('no parameters are no schema: an object without properties is refused', () => {
    expect(geminiSchema({ type: 'object', properties: {} })).toBeUndefined();
    expect(geminiSchema({})).toBeUndefined();
  });

  test('a name that looks like a keyword stays a name', () => {
    expect(property({ type: 'object', properties: { format: { type: 'string' }, $schema: { type: 'string' } } })).toEqual({
      a: { type: 'object', properties: { format: { type: 'string' }, $schema: { type: 'string' } } },
    });
  });
});

describe('the plain form for strict hosts', () => {
  test('is an object with properties and without the keywords of a document', () => {
    expect(plainSchema({ $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x' })).toEqual({ type: 'object', properties: {} });
    const schema = { type: 'object', properties: { a: { type: 'string', const: 'x' } }, required: ['a'], additionalProperties: false };
    expect(plainSchema(schema)).toEqual(schema);
  });

  test('has no choice at its top', () => {
    const choice = (name: string): JsonObject => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
    expect(plainSchema({ anyOf: [choice('a'), choice('b')] })).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    });
    expect(plainSchema({ allOf: [choice('a'), choice('b')] })).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a', 'b'],
    });
  });
});
