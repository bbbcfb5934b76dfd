import * as v from 'valibot';
import type { Part } from '../core/node';
import { addTask, changeTask, NO_TASKS, TASK_STATUSES, taskText, type TaskList } from '../core/tasks';
import { defineTool } from './define-tool';
import type { ToolOutcome } from './tool';

const KIND = 'task_list';
const subject = v.pipe(v.string(), v.nonEmpty(), v.description('What is to be done, in a few words.'));
const description = v.pipe(v.string(), v.description('What belongs to it.'));
const activeForm = v.pipe(v.string(), v.description('What is being done while it is in progress: “Reading the files”.'));
const common = { group: 'tasks', approval: 'never', isAgentTool: true, available: () => true } as const;

const storedList: v.GenericSchema<unknown, TaskList> = v.pipe(
  v.object({
    kind: v.literal(KIND),
    revision: v.number(),
    given: v.number(),
    tasks: v.array(
      v.object({
        id: v.string(),
        subject: v.string(),
        description: v.exactOptional(v.string()),
        activeForm: v.exactOptional(v.string()),
        status: v.picklist(TASK_STATUSES),
      }),
    ),
  }),
  v.transform(({ revision, given, tasks }) => ({ revision, given, tasks })),
);

/** Writes one more step down. */
export const taskCreate = defineTool({
  ...common,
  name: 'task_create',
  description: 'Add one task to the task list of this answer. The user sees the list.',
  parameters: v.strictObject({ subject, description: v.optional(description), activeForm: v.optional(activeForm) }),
  rule: [
    '# Planning',
    '- For work of three or more steps, write the steps down with task_create first, set one to in_progress before you begin it, and to completed as soon as it is done. Only one may be in progress.',
    '- Skip the list for anything shorter.',
  ].join('\n'),
  execute: async (words, { answer }) => {
    const list = addTask(listIn(answer), words);
    return Promise.resolve(outcome(list, `Task ${list.tasks.at(-1)?.id ?? ''} was added.`));
  },
});

/** Moves a step on, or words it anew. */
export const taskUpdate = defineTool({
  ...common,
  name: 'task_update',
  description: 'Change a task: its status, or its words.',
  parameters: v.strictObject({
    taskId: v.pipe(v.string(), v.description('The number that the task was given.')),
    status: v.optional(v.picklist(TASK_STATUSES)),
    subject: v.optional(subject),
    description: v.optional(description),
    activeForm: v.optional(activeForm),
  }),
  execute: async ({ taskId, ...change }, { answer }) => {
    const list = changeTask(listIn(answer), taskId, change);
    return Promise.resolve('fault' in list ? { failure: 'refused', text: list.fault } : outcome(list, `Task ${taskId} was changed.`));
  },
});

/** Reads the list. */
export const taskList = defineTool({
  ...common,
  name: 'task_list',
  description: 'Read the task list of this answer.',
  parameters: v.strictObject({}),
  execute: async (_args, { answer }) => {
    const list = listIn(answer);
    return Promise.resolve(list.tasks.length === 0 ? { text: taskText(list) } : outcome(list, 'The tasks:'));
  },
});

/** The list belongs to one answer and is what its last change made of it: the user's next message begins a new one. */
function listIn(answer: readonly Part[]): TaskList {
  for (const part of answer.toReversed()) {
    if (part.type !== 'tool' || part.execution !== 'done') continue;
    const parsed = v.safeParse(storedList, part.result?.data);
    if (parsed.success) return parsed.output;
  }
  return NO_TASKS;
}

function outcome({ revision, given, tasks }: TaskList, what: string): ToolOutcome {
  const list = { revision, given, tasks };
  return { text: `${what}\n${taskText(list)}`, data: { kind: KIND, revision, given, tasks: tasks.map((task) => ({ ...task })) } };
}
