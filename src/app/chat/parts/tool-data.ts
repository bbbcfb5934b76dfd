import type { Json } from '../../../core/errors';

/** What a card is drawn from. It was stored, perhaps by another version or from an imported file: everything in it is checked. */
export type ToolData =
  | { readonly kind: 'tasks'; readonly tasks: readonly { readonly id: string; readonly text: string; readonly status: TaskState }[] }
  | {
      readonly kind: 'answers';
      readonly isTimedOut: boolean;
      readonly answers: readonly { readonly prompt: string; readonly answer: string; readonly isOwn: boolean }[];
    }
  | { readonly kind: 'conversations'; readonly items: readonly { readonly id: string; readonly title: string }[] };

export type TaskState = 'pending' | 'in_progress' | 'completed';

/** Null for what no card is known for: then the result's text says it. */
export function readToolData(data: Json | undefined): ToolData | null {
  if (!isObject(data)) return null;
  switch (data['kind']) {
    case 'task_list':
      return { kind: 'tasks', tasks: objectsIn(data['tasks']).flatMap(taskOf) };
    case 'ask_user_question':
      return {
        kind: 'answers',
        isTimedOut: data['timedOut'] === true,
        answers: objectsIn(data['answers']).map((answer) => ({
          prompt: textIn(answer, 'prompt'),
          answer: textIn(answer, 'answer'),
          isOwn: answer['isOwn'] === true,
        })),
      };
    case 'conversations':
      return {
        kind: 'conversations',
        items: objectsIn(data['items']).map((item) => ({ id: textIn(item, 'id'), title: textIn(item, 'title') })),
      };
    default:
      return null;
  }
}

type JsonRecord = { readonly [key: string]: Json };

function taskOf(task: JsonRecord): readonly { readonly id: string; readonly text: string; readonly status: TaskState }[] {
  const { status } = task;
  if (status !== 'pending' && status !== 'in_progress' && status !== 'completed') return [];
  const active = textIn(task, 'activeForm');
  return [{ id: textIn(task, 'id'), text: status === 'in_progress' && active !== '' ? active : textIn(task, 'subject'), status }];
}

function isObject(value: Json | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectsIn(value: Json | undefined): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textIn(record: JsonRecord, key: string): string {
  const value = record[key];
  return typeof value === 'string' ? value : '';
}
