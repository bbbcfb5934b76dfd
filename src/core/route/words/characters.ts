/** Signs of arithmetic that look different and mean the same. Taken before NFKC, which would make a bare `2` of `²`. */
const SIGNS = new Map<string, string>([
  ['²', '^2'],
  ['³', '^3'],
  ...[...'×✕✖⨯⋅'].map((sign) => [sign, '*'] as const),
  ...[...'÷➗∕'].map((sign) => [sign, '/'] as const),
  ...[...'−–—➖﹣'].map((sign) => [sign, '-'] as const),
  ['➕', '+'],
  ...[...'“”„«»'].map((sign) => [sign, '"'] as const),
  ...[...'‘’‚′'].map((sign) => [sign, "'"] as const),
]);

/** A space keeps “2½” from becoming 21/2. */
const FRACTION_SIGN = /[¼½¾⅐-⅞]/;
const SIGN_OR_FRACTION = /[²³×✕✖⨯⋅÷➗∕−–—➖﹣➕“”„«»‘’‚′¼½¾⅐-⅞]/gu;
/** Pictures and what joins or tints them; characters without a look of their own. */
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Cf}\u20e3\ufe0e\ufe0f]/gu;

/**
 * The text in plain characters: full-width forms, quotes, signs of arithmetic and spaces unified, pictures and invisible characters gone, trimmed.
 * Letters keep their case. Time grows with the length.
 */
export function plainCharacters(text: string): string {
  return text
    .replace(SIGN_OR_FRACTION, (sign) => SIGNS.get(sign) ?? (FRACTION_SIGN.test(sign) ? ` ${sign}` : sign))
    .normalize('NFKC')
    .replaceAll('\u2044', '/')
    .replace(PICTURE, '')
    .split(/\s/)
    .filter((word) => word !== '')
    .join(' ');
}

/** Whether a text has a Han character: then it is read by the Chinese rules. */
export function hasHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}
