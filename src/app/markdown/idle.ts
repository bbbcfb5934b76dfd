/** Runs `task` when the page has nothing else to do, after at most `timeoutMs`. Returns how to call it off. */
export function whenIdle(task: () => void, timeoutMs: number): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(task, { timeout: timeoutMs });
    return () => cancelIdleCallback(handle);
  }
  // Safari knows no idle time; a task of its own at least lets input and painting in between.
  const handle = setTimeout(task, 1);
  return () => clearTimeout(handle);
}
