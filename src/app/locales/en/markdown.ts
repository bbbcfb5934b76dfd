/** What the markdown says. */
export const markdown = {};
