import type { Handlers } from '../../bridge/rpc';
import type { Commands, NodeArgs } from '../../core/protocol';
import type { WorkerContext } from '../context';
import { atOwner, here } from '../dispatch';
import { capabilities } from './capabilities';
import { catalog } from './catalog';
import { continueAnswer } from './continue';
import { clearDebugLog, debugLog } from './debug-log';
import { decide, expireQuestion, questionClock } from './decide';
import { deleteConversation } from './delete-conversation';
import { deleteNode } from './delete-node';
import { edit, withMessageId } from './edit';
import { exportAll } from './export';
import { importAll } from './import';
import { listModels } from './list-models';
import { addModelFile, localGenerate, localModels } from './local-models';
import { regenerate, withAnswerId } from './regenerate';
import { restoreConversation } from './restore-conversation';
import { running } from './running';
import { select } from './select';
import { conversationOfSend, send } from './send';
import { stop } from './stop';
import { testConnection } from './test-connection';
import { unwatch, watch } from './watch';

const conversation = (args: Pick<NodeArgs, 'conversationId'>): string => args.conversationId;

/** Every command, and where it runs. The compiler proves that none is missing. */
export function commandHandlers(ready: Promise<WorkerContext>): Handlers<Commands> {
  return {
    catalog: here(ready, catalog),
    send: atOwner(ready, 'send', send, conversationOfSend),
    stop: atOwner(ready, 'stop', stop, conversation),
    regenerate: atOwner(ready, 'regenerate', regenerate, conversation, withAnswerId),
    edit: atOwner(ready, 'edit', edit, conversation, withMessageId),
    continue: atOwner(ready, 'continue', continueAnswer, conversation),
    decide: atOwner(ready, 'decide', decide, conversation),
    'question-clock': atOwner(ready, 'question-clock', questionClock, conversation),
    'expire-question': atOwner(ready, 'expire-question', expireQuestion, conversation),
    'debug-log': here(ready, debugLog),
    'clear-debug-log': here(ready, clearDebugLog),
    select: here(ready, select),
    'delete-node': atOwner(ready, 'delete-node', deleteNode, conversation),
    'delete-conversation': atOwner(ready, 'delete-conversation', deleteConversation, conversation),
    'restore-conversation': here(ready, restoreConversation),
    watch: here(ready, watch),
    unwatch: here(ready, unwatch),
    running: here(ready, running),
    'list-models': here(ready, listModels),
    'test-connection': here(ready, testConnection),
    capabilities: here(ready, capabilities),
    'local-models': here(ready, localModels),
    'add-model-file': here(ready, addModelFile),
    'local-generate': here(ready, localGenerate),
    // A click fetches a picture, and this with it.
    'load-image': here(ready, async (...args) => (await import('./load-image')).loadImage(...args)),
    export: here(ready, exportAll),
    import: here(ready, importAll),
  };
}
