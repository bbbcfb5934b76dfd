/** Arguments that don't fit a tool. `message` is for the model: it names everything that is wrong, in one line. */
export class ArgumentsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArgumentsError';
  }
}
