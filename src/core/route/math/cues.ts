/** How clearly a text asks for a result: “calculate” and `=` strongly, “what is” weakly. */
export type Cue = 'none' | 'weak' | 'strong';

/** A question and how it was asked. */
export interface CuedText {
  readonly text: string;
  readonly cue: Cue;
}

const STRONG_BEFORE =
  /^(?:calculate|compute|evaluate|solve|work out|计算一下|计算|算一下|算算|算一算|算)(?::| |(?=\P{L})|(?<=\p{Script=Han}))/u;
const WEAK_BEFORE = /^(?:what is|what's|whats|how much is)(?: |$)/;
const STRONG_BEHIND = /(?: equals?(?: what)?|等于多少|等于几|等于)$/;
const WEAK_BEHIND = /(?:是多少钱?|是几|得多少|得几|多少钱)$/;
const THE = /^the (?:(?:result|value|answer|sum) (?:of|to) )?/;
/** More than one of each is rare; the loop stays bounded. */
const ROUNDS = 3;

/** Takes the words off that only ask. `isEquation`: the text ended with `=`. */
export function withoutCues(line: string, isEquation: boolean): CuedText {
  let text = line;
  let cue: Cue = isEquation ? 'strong' : 'none';
  for (let round = 0; round < ROUNDS; round += 1) {
    const strong = text.replace(STRONG_BEFORE, '').replace(STRONG_BEHIND, '').trim();
    if (strong !== text) cue = 'strong';
    const weak = strong.replace(WEAK_BEFORE, '').replace(WEAK_BEHIND, '').replace(THE, '').trim();
    if (weak !== strong && cue === 'none') cue = 'weak';
    if (weak === text) break;
    text = weak;
  }
  return { text, cue };
}

const YEAR_MONTH_DAY = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/;
const NAMES = new Set(['24/7', '9/11', '7/11', '50/50']);
const CHAIN = /^\d+%?(?:-\d+%?)+$|^[\d.]+-[\d.]+%$/;
const SIZES = /^\d+(?:\.\d+)?(?:[x*]\d+(?:\.\d+)?)+$/;
const DAY_OR_SHARE = /^-?(\d+)\/(\d+)(?:\/\d+)?$/;

/**
 * Whether a text of digits and signs is more likely something else: a score, a range, a date, a phone number, a size. `original` is the text before ×
 * became `*`.
 */
export function isSomethingElse(text: string, cue: Cue, isSized: boolean): boolean {
  if (cue === 'strong') return false;
  if (NAMES.has(text) || YEAR_MONTH_DAY.test(text)) return true;
  if (cue === 'weak') return false;
  const [, first, second] = DAY_OR_SHARE.exec(text) ?? [];
  const isDay = first !== undefined && second !== undefined && Number(first) <= 31 && Number(second) <= 31;
  return CHAIN.test(text) || isDay || (isSized && SIZES.test(text));
}
