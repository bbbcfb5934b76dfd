import * as v from 'valibot';
import { NODE_STATUSES, ROLES } from '../core/node';
import { isNodeId } from './node-id';
import {
  accountBodySchema,
  controlsSchema,
  countSchema,
  draftSchema,
  hashSchema,
  idSchema,
  modelReferenceSchema,
  momentSchema,
  SETTING_SCHEMAS,
  stepContentSchema,
  toolPoliciesSchema,
} from './record-schemas';

/** Deeper than anything we write, and far from what would exhaust a stack. */
const MAX_JSON_DEPTH = 512;
/** Names that would reach an object's prototype once a row is copied carelessly. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_UINT32 = 0xffff_ffff;

const uint32Schema = v.pipe(countSchema, v.maxValue(MAX_UINT32));
const clockSchema = v.object({ time: countSchema, device: idSchema });
const nodeIdSchema = v.pipe(v.string(), v.check(isNodeId));

const conversationSchema = v.object({
  id: idSchema,
  createdAt: momentSchema,
  updatedAt: momentSchema,
  pinned: v.picklist([0, 1]),
  deletedAt: momentSchema,
  clock: clockSchema,
  body: v.object({ assistantId: idSchema }),
});

/** One message's place in its conversation, readable without us: the packed blocks are a matter of this database only. */
const nodeSchema = v.object({
  id: nodeIdSchema,
  conversationId: idSchema,
  parentId: v.nullable(nodeIdSchema),
  role: v.picklist(ROLES),
  status: v.picklist(NODE_STATUSES),
  tokens: uint32Schema,
  createdAt: momentSchema,
  revision: uint32Schema,
});

const contentSchema = v.pipe(
  v.object({ nodeId: nodeIdSchema, step: countSchema, conversationId: idSchema, body: stepContentSchema }),
  v.check((row) => row.body.step === row.step),
);

const sideEntries = { targetId: idSchema, conversationId: idSchema, clock: clockSchema };
const titleSchema = v.object({ text: v.string(), by: v.picklist(['user', 'local', 'model']) });
const sideSchema = v.variant('field', [
  v.object({ ...sideEntries, field: v.literal('title'), body: v.object({ value: titleSchema }) }),
  v.object({ ...sideEntries, field: v.literal('selection'), body: v.object({ value: nodeIdSchema }) }),
  v.object({ ...sideEntries, field: v.literal('model'), body: v.object({ value: modelReferenceSchema }) }),
  v.object({ ...sideEntries, field: v.literal('pinned'), body: v.object({ value: v.boolean() }) }),
  v.object({ ...sideEntries, field: v.literal('controls'), body: v.object({ value: controlsSchema }) }),
  v.object({ ...sideEntries, field: v.literal('tool-policies'), body: v.object({ value: v.object({ tools: toolPoliciesSchema }) }) }),
]);

const tombstoneSchema = v.object({
  id: idSchema,
  kind: v.picklist(['node', 'conversation']),
  parentId: v.nullable(idSchema),
  conversationId: idSchema,
  deletedAt: momentSchema,
  clock: clockSchema,
});

const settingSchema = v.pipe(
  v.object({ key: v.string(), clock: clockSchema, body: v.object({ value: v.unknown() }) }),
  v.check((row) => isSetting(row.key, row.body.value)),
);

const accountSchema = v.object({
  id: idSchema,
  position: countSchema,
  clock: clockSchema,
  body: accountBodySchema,
  /** Only where the user asked for it at export. */
  keyInPlainText: v.exactOptional(v.string()),
});

const blobSchema = v.object({
  hash: hashSchema,
  mimeType: v.pipe(v.string(), v.maxLength(200)),
  sizeBytes: countSchema,
  createdAt: momentSchema,
  body: v.object({ bytes: v.object({ type: v.literal('bytes'), base64: v.string() }) }),
});

const lineSchema = v.variant('table', [
  v.object({ table: v.literal('conversations'), row: conversationSchema }),
  v.object({ table: v.literal('nodes'), row: nodeSchema }),
  v.object({ table: v.literal('content'), row: contentSchema }),
  v.object({ table: v.literal('sides'), row: sideSchema }),
  v.object({ table: v.literal('tombstones'), row: tombstoneSchema }),
  v.object({ table: v.literal('drafts'), row: v.object({ key: idSchema, updatedAt: momentSchema, body: draftSchema }) }),
  v.object({ table: v.literal('settings'), row: settingSchema }),
  v.object({ table: v.literal('accounts'), row: accountSchema }),
  v.object({ table: v.literal('blobs'), row: blobSchema }),
]);

const BACKUP_TABLES: ReadonlySet<string> = new Set(lineSchema.options.map((option) => option.entries.table.literal));

/** One line of a backup after its header. */
export type BackupLine = v.InferOutput<typeof lineSchema>;
export type BackupTable = BackupLine['table'];
export type RowOf<Table extends BackupTable> = Extract<BackupLine, { table: Table }>['row'];

/** A checked line, or why it can't be used: `damaged`, or `unknown` for what another version may have written. */
export function parseBackupLine(text: string | undefined): BackupLine | 'damaged' | 'unknown' {
  const value = text === undefined ? undefined : parseJson(text);
  if (typeof value !== 'object' || value === null || !('table' in value) || typeof value.table !== 'string') return 'damaged';
  if (!BACKUP_TABLES.has(value.table)) return 'unknown';
  const parsed = v.safeParse(lineSchema, value);
  if (parsed.success) return parsed.output;
  return value.table === 'settings' && 'row' in value && isUnknownSetting(value.row) ? 'unknown' : 'damaged';
}

/** The value of a JSON text, or undefined where it is none, is nested too deeply or names a prototype. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isHarmless(value) ? value : undefined;
  } catch {
    // The only way that parsing fails: the text is no JSON.
    return undefined;
  }
}

/** Walks without recursion: a hostile file may be deeper than the stack. */
function isHarmless(root: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_JSON_DEPTH) return false;
    for (const [key, inner] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key)) return false;
      if (typeof inner === 'object') open.push({ value: inner, depth: depth + 1 });
    }
  }
  return true;
}

function isSetting(key: string, value: unknown): boolean {
  const schema = Object.entries(SETTING_SCHEMAS).find(([name]) => name === key)?.[1];
  return schema !== undefined && v.is(schema, value);
}

function isUnknownSetting(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'key' in row && typeof row.key === 'string' && !Object.hasOwn(SETTING_SCHEMAS, row.key);
}
