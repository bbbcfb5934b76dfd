import { estimateMessageTokens } from '../../core/context';
import { createConversation, setTitle } from '../../storage/conversations';
import { saveAccount } from '../../storage/accounts';
import { appendNodes, type NewNode } from '../../storage/tree';
import type { AppContext } from '../app-context';
import { accountFromPreset } from '../settings/account-item';

const BENCH_ACCOUNT = 'bench';

/** Puts the functions of the measuring harness into the window once the worker answers. Only in a build made for measuring. */
export async function exposeBench(app: AppContext): Promise<void> {
  await app.engine.call('catalog', {});
  window.__bench = benchFunctions(app);
}

/** Each does what the interface does for the same act: the same commands, storage functions and drawing. */
function benchFunctions(app: AppContext): BenchFunctions {
  const stamp = (): { at: number; device: string } => ({ at: Date.now(), device: 'bench' });
  return {
    /** Makes the one bench account and its model the one of new conversations. Resolves when both are stored. */
    async configure({ baseUrl, apiKey, model }: { baseUrl: string; apiKey: string; model: string }): Promise<void> {
      const preset = { id: 'custom', provider: 'openai-chat', name: 'Bench', baseUrl, key: 'optional', local: false } as const;
      const account = { ...accountFromPreset(preset, BENCH_ACCOUNT, preset.name), hasKey: apiKey !== '' };
      await saveAccount(app.database, account, apiKey === '' ? null : apiKey, stamp());
      await app.settings.set('defaultModel', { accountId: BENCH_ACCOUNT, modelId: model });
    },

    /** Types into the composer and presses the key that sends. Resolves when the worker has taken the message. */
    async send(text: string): Promise<void> {
      const composer = document.querySelector<HTMLTextAreaElement>('textarea[data-bench="composer"]');
      if (composer === null) throw new Error('no composer');
      composer.value = text;
      composer.dispatchEvent(new InputEvent('input', { bubbles: true }));
      const modifiers = app.settings.current.sendKey === 'enter' ? {} : { ctrlKey: true };
      composer.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...modifiers }));
      await until(() => composer.value === '');
    },

    /** Writes conversations, the first one the newest. Resolves with their ids, in order. */
    async seed(options: { conversations: number; messagesPerConversation: number; branchPoints?: number }): Promise<string[]> {
      const content = window.benchContent;
      if (content === undefined) throw new Error('no bench content');
      const ids = Array.from({ length: options.conversations }, () => crypto.randomUUID());
      const now = Date.now();
      for (const [index, id] of ids.entries()) {
        const at = now - index * 60_000;
        const seedStamp = { at, device: 'bench' };
        await createConversation(app.database, { id, assistantId: 'munin' }, seedStamp);
        await setTitle(app.database, id, content.title(index), 'user', seedStamp);
        await appendNodes(app.database, id, branch(content, index, { at, ...options }), seedStamp);
      }
      return ids;
    },

    /** What a click in the list does. Resolves when the route has changed. */
    async openConversation(id: string): Promise<void> {
      app.router.go({ name: 'chat', conversationId: id });
      return Promise.resolve();
    },
  };
}

interface Shape {
  readonly at: number;
  readonly messagesPerConversation: number;
  /** So many answers, the last one among them, have an older alternative. */
  readonly branchPoints?: number;
}

function branch(content: BenchContent, conversation: number, { at, messagesPerConversation: count, branchPoints = 0 }: Shape): NewNode[] {
  const every = branchPoints === 0 ? Infinity : Math.max(2, 2 * Math.floor(count / 2 / branchPoints));
  const nodes: NewNode[] = [];
  let parentId: string | null = null;
  for (let index = 0; index < count; index += 1) {
    const { role, text } = content.message(conversation, index);
    const node = (words: string): NewNode => {
      const steps = [{ step: 0, parts: [{ type: 'text' as const, step: 0, text: words }], startedAt: at, endedAt: at }];
      return { id: crypto.randomUUID(), parentId, role, status: 'complete', createdAt: at, tokens: estimateMessageTokens(steps), steps };
    };
    if ((count - 1 - index) % every === 0) nodes.push(node(`An alternative. ${text}`));
    const shown = node(text);
    nodes.push(shown);
    parentId = shown.id;
  }
  return nodes;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => requestAnimationFrame(resolve));
}
