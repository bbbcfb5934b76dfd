import { expect, test } from 'vitest';
import { isRecord } from '../../src/outbound/json';
import { geminiSchema, plainSchema } from '../../src/providers/shared/tool-schema';
import { ArgumentsError } from '../../src/tools/arguments-error';
import type { AnyTool, ToolContext } from '../../src/tools/tool';

export interface ToolCase {
  /** Arguments that fit. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** What every tool promises. `contextWith` gives a context over an empty database. */
export function toolContract(tool: AnyTool, { args }: ToolCase, contextWith: (signal: AbortSignal) => Promise<ToolContext>): void {
  const never = new AbortController().signal;

  test('has a name that every server takes, and words for the model', () => {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(tool.description.length).toBeGreaterThan(20);
    expect(tool.description.length).toBeLessThanOrEqual(1024);
  });

  test('has a closed schema, all the way down, that every protocol takes', () => {
    expect(openObjects(tool.parameters)).toEqual([]);
    expect(tool.parameters).not.toHaveProperty('$schema');
    expect(tool.parameters['type']).toBe('object');
    expect(plainSchema(tool.parameters)).toMatchObject({ type: 'object' });
    expect(JSON.stringify(geminiSchema(tool.parameters) ?? {})).not.toContain('additionalProperties');
  });

  test('takes arguments that fit', () => {
    expect(() => {
      tool.check(args);
    }).not.toThrow();
  });

  test('refuses an unknown argument by its name, and anything that is no object', async () => {
    const context = await contextWith(never);
    await expect(tool.call({ ...args, surprise: 1 }, context)).rejects.toThrow(/surprise/);
    for (const bad of [null, [], 'text', 5]) await expect(tool.call(bad, context)).rejects.toBeInstanceOf(ArgumentsError);
  });

  for (const name of Object.keys(args)) {
    test(`refuses “${name}” of the wrong kind, and says which it is`, () => {
      expect(() => {
        tool.check({ ...args, [name]: { wrong: true } });
      }).toThrow(new RegExp(name));
    });
  }

  test('names each argument that it needs and does not get', () => {
    const required = tool.parameters['required'];
    for (const name of Array.isArray(required) ? required : []) {
      const { [String(name)]: _left, ...rest } = args;
      expect(() => {
        tool.check(rest);
      }).toThrow(new RegExp(String(name)));
    }
  });

  test('says something to the model, and never writes to the conversation', async () => {
    const context = await contextWith(never);
    const before = await context.database.content.count();
    const outcome = await tool.call(args, context);
    expect(outcome.text.trim()).not.toBe('');
    expect(await context.database.content.count()).toBe(before);
  });
}

/** Paths of the objects in a schema that take anything. */
function openObjects(schema: unknown, path = ''): readonly string[] {
  if (!isRecord(schema)) return [];
  const own = schema['type'] === 'object' && schema['additionalProperties'] !== false ? [path === '' ? '(top)' : path] : [];
  return [
    ...own,
    ...Object.entries(schema).flatMap(([key, value]) =>
      Array.isArray(value) ? value.flatMap((entry) => openObjects(entry, `${path}.${key}`)) : openObjects(value, `${path}.${key}`),
    ),
  ];
}
