import type { InputTransformer, WorkingMessage } from './transformer';

/** Leaves out blank text and empty turns and joins neighbours of one role: strict servers refuse a request for either. */
export const sanitize: InputTransformer = {
  id: 'sanitize',
  apply(request) {
    const history: WorkingMessage[] = [];
    for (const message of request.history) {
      const parts = message.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
      if (parts.length === 0) continue;
      const last = history.at(-1);
      if (last?.role === message.role) history[history.length - 1] = { role: last.role, parts: [...last.parts, ...parts] };
      else history.push({ role: message.role, parts });
    }
    return { ...request, system: request.system.filter((block) => block.trim() !== ''), history };
  },
};
