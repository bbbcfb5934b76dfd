/** The bar of calls that wait, and questions. */
export const decisions = {};
