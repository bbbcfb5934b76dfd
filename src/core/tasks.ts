/** The list of what an answer sets out to do. It is no table: it stands in the result of the call that changed it last. */
export interface TaskList {
  /** Grows by one with each change. */
  readonly revision: number;
  /** Ids that were ever given: none is used twice. */
  readonly given: number;
  readonly tasks: readonly Task[];
}

export const TASK_STATUSES = ['pending', 'in_progress', 'completed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface Task {
  /** A number as a text. */
  readonly id: string;
  readonly subject: string;
  readonly description?: string;
  /** What is being done while it is in progress. */
  readonly activeForm?: string;
  readonly status: TaskStatus;
}

export const NO_TASKS: TaskList = { revision: 0, given: 0, tasks: [] };

/** Words of a task; absent ones stay as they are. */
export interface TaskWords {
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly activeForm?: string | undefined;
}

/** The list with one more task, which is still to be done. */
export function addTask(list: TaskList, words: TaskWords & { readonly subject: string }): TaskList {
  const id = String(list.given + 1);
  const task: Task = { id, subject: words.subject, status: 'pending', ...givenWords(words) };
  return { revision: list.revision + 1, given: list.given + 1, tasks: [...list.tasks, task] };
}

/** The list with a task changed, or why it can't be: for the model. */
export function changeTask(
  list: TaskList,
  id: string,
  change: TaskWords & { readonly status?: TaskStatus | undefined },
): TaskList | { readonly fault: string } {
  const { status, ...words } = change;
  if (list.tasks.length === 0) return { fault: 'There is no task list yet. Create its tasks first.' };
  const task = list.tasks.find((candidate) => candidate.id === id);
  if (task === undefined) return { fault: `There is no task ${id}. The tasks are ${list.tasks.map((known) => known.id).join(', ')}.` };
  const changed = givenWords(words);
  if (status === undefined && Object.keys(changed).length === 0) return { fault: 'Nothing to change was given.' };
  const active = list.tasks.find((other) => other.id !== id && other.status === 'in_progress');
  if (status === 'in_progress' && active !== undefined)
    return { fault: `Task ${active.id} is in progress. Complete it, or set it back, first.` };
  const next = { ...task, ...changed, ...(status === undefined ? {} : { status }) };
  return { ...list, revision: list.revision + 1, tasks: list.tasks.map((other) => (other.id === id ? next : other)) };
}

/** The list as the model reads it. */
export function taskText({ tasks }: TaskList): string {
  if (tasks.length === 0) return 'The task list is empty.';
  return tasks.map(({ id, subject, status }) => `${id}. [${status}] ${subject}`).join('\n');
}

function givenWords({ subject, description, activeForm }: TaskWords): Partial<Task> {
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(description === undefined ? {} : { description }),
    ...(activeForm === undefined ? {} : { activeForm }),
  };
}
