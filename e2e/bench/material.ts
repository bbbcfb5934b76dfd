/** Put into the page before its scripts run: every seeded word is the harness's own. */
export function benchContent(): void {
  window.benchContent = {
    title: (conversation) => `Seeded conversation ${conversation}`,
    message: (conversation, index) =>
      index % 2 === 0
        ? { role: 'user', text: `Question ${index} of conversation ${conversation}, asked in one sentence? last-of-${index}` }
        : {
            role: 'assistant',
            text: `## Answer ${index}\n\n${'Some **bold** words and `code` among ordinary ones. '.repeat(8)}\n\n1. first\n2. second\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nThe last word is last-of-${index}`,
          },
  };
}

/** About `tokens` tokens of mixed markdown that end in the word which the harness waits for. */
export function answerOf(tokens: number): string {
  const section = (index: number): string =>
    [
      `## Section ${index}`,
      'Plain sentences with **bold**, *italic* and `inline code`, long enough to wrap over several lines of the reading column.',
      '1. first item\n2. second item\n   - nested',
      '| name | value |\n| --- | ---: |\n| alpha | 1 |\n| beta | 2 |',
      '```ts\nconst value: number = 42;\nfunction double(input: number) {\n  return input * 2;\n}\n```',
      'The area is $\\pi r^2$ and costs $5.',
    ].join('\n\n');
  let text = '';
  // A delta of the replay server is four characters, about a token.
  for (let index = 1; text.length < tokens * 4; index++) text += `${section(index)}\n\n`;
  return `${text}END-OF-ANSWER`;
}
