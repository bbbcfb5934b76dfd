import { describe, expect, test } from 'vitest';
import { normalise } from '../../../src/core/route/words/normalise';

describe('an utterance without what says nothing', () => {
  test.each([
    ['（12＋8）×3＝', '(12+8)*3', 'en', true],
    ['What’s 7 × 8?', "What's 7 * 8", 'en', false],
    ['10 ÷ 4 − 1', '10 / 4 - 1', 'en', false],
    ['5² + 2³', '5^2 + 2^3', 'en', false],
    ['2½ cups', '2 1/2 cups', 'en', false],
    ['20 ℃  to\t℉', '20 °C to °F', 'en', false],
    ['✖ ➕ 👍🏽 3️⃣ ok', '* + 3 ok', 'en', false],
    ['5\u200b+\u202e5', '5+5', 'en', false],
    ['5!', '5!', 'en', false],
    ['(2+1)!', '(2+1)!', 'en', false],
    ['thanks!', 'thanks', 'en', false],
    ['hello...?', 'hello', 'en', false],
    ['1+1=?', '1+1', 'en', true],
    ['hey munin, can you please open Google Maps for me', 'open Google Maps', 'en', false],
    ['um, could you help me set a timer right now please', 'set a timer', 'en', false],
    ["I'd like to know the time", 'know the time', 'en', false],
    ['3 weeks from now', '3 weeks from now', 'en', false],
    ['how many days until now', 'how many days until now', 'en', false],
    ['call Bob now', 'call Bob', 'en', false],
    ['please', 'please', 'en', false],
    ['你好 munin，请帮我打开微信好吗？', '打开微信', 'zh', false],
    ['麻烦你算一下 99*101 谢谢', '算一下 99*101', 'zh', false],
    ['你能不能打开秒表', '打开秒表', 'zh', false],
    ['你能做什么？', '你能做什么', 'zh', false],
    ['你好', '你好', 'zh', false],
    ['', '', 'en', false],
  ])('%j', (text, wanted, language, isEquation) => {
    expect(normalise(text)).toEqual({ text: wanted, language, isEquation });
  });
});
