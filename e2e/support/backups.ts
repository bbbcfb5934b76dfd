import { randomUUID } from 'node:crypto';

/** A backup of one conversation with one message, as the app exports it. */
export function backupOf(words: string): Buffer {
  const [conversationId, nodeId] = [randomUUID(), randomUUID()];
  const [at, clock] = [1_700_000_000_000, { time: 1, device: 'elsewhere' }];
  const node = { id: nodeId, conversationId, parentId: null, role: 'user', status: 'complete', tokens: 5, createdAt: at, revision: 1 };
  const body = { step: 0, parts: [{ type: 'text', step: 0, text: words }] };
  const lines = [
    {
      format: 'jackdaw-backup',
      version: 1,
      schema: 2,
      exportedAt: at,
      counts: { conversations: 1, nodes: 1, blobs: 0 },
      includesKeys: false,
    },
    {
      table: 'conversations',
      row: { id: conversationId, createdAt: at, updatedAt: at, pinned: 0, deletedAt: 0, clock, body: { assistantId: 'munin' } },
    },
    { table: 'nodes', row: node },
    { table: 'content', row: { nodeId, step: 0, conversationId, body } },
  ];
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
