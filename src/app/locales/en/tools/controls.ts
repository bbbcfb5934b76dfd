/** Mode and switches beside the composer. */
export const controls = {};
