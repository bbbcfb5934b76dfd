const WORD = /^r(\d+)\.(\d+)$/;

/** The `index`-th word of a request's answer: each text tells where it came from and whether something of it is missing. */
export function numberedWord(request: number, index: number): string {
  return `r${request}.${index} `;
}

/** How many words of which request stand in a text. */
export function countWords(text: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { request } of wordsOf(text)) counts.set(request, (counts.get(request) ?? 0) + 1);
  return counts;
}

/** What is wrong with a text, or null: the words of a request begin with its first one and leave none out. */
export function soundness(text: string): string | null {
  let current = -1;
  let next = 0;
  for (const { request, index } of wordsOf(text)) {
    if (request !== current) next = 0;
    if (index !== next) return `word ${index} of request ${request} where word ${next} belongs: “${text}”`;
    current = request;
    next += 1;
  }
  return null;
}

function wordsOf(text: string): readonly { request: number; index: number }[] {
  return text.split(/\s+/).flatMap((token) => {
    const match = WORD.exec(token);
    return match === null ? [] : [{ request: Number(match[1]), index: Number(match[2]) }];
  });
}
