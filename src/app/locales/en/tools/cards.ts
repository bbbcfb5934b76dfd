/** Cards of calls, the line they are folded into, and what agent-dev shows. */
export const cards = {};
