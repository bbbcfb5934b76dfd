import { describe, expect, test } from 'vitest';
import { solve, solveAsked } from '../../../src/core/route/math/solve';
import { HERE, inOneLine, pure } from './answers';

describe('the grammar', () => {
  test.each([
    // precedence and association
    ['2 + 3 * 4', '14'],
    ['10 - 3 - 2', '5'],
    ['-3^2', '-9'],
    ['2^3^2', '512'],
    ['2^-2', '0.25'],
    ['2 ** 10', '1024'],
    ['2--3', '5'],
    ['2*-3', '-6'],
    ['0^0', '1'],
    // products without a sign
    ['3(4+5)', '27'],
    ['(1+2)(3+4)', '21'],
    ['2pi', '6.28318530718 ~'],
    // postfixes
    ['3!!', '6'],
    ['2^3!', '64'],
    ['3 squared plus 4 squared', '25'],
    // percent and remainder
    ['150 + 20%', '180'],
    ['100 - 10%', '90'],
    ['200 + 10% + 10%', '242'],
    ['50% + 20%', '0.7'],
    ['5% * 200', '10'],
    ['10 % 3', '1'],
    ['-7 mod 3', '2'],
    ['7 mod -3', '-2'],
    ['20% of 150 + 3', '33'],
    // functions
    ['sqrt 16 + 9', '13'],
    ['sqrt(16)^2', '16'],
    ['square root of 16 plus 9', '13'],
    ['√16', '4'],
    ['abs(-3)', '3'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['floor(-2.5)', '-3'],
    ['ceil(-2.5)', '-2'],
    ['log2 8', '3'],
    ['log 0.001', '-3'],
    ['ln(e)', '1 ~'],
    ['exp(0)', '1'],
    ['cbrt(-27)', '-3'],
    ['16^0.5', '4'],
    ['8^(2/3)', '4'],
    ['2^0.5', '1.41421356237 ~'],
    // angles
    ['sin(pi)', '0 ~'],
    ['sin 30 degrees', '0.5'],
    ['cos 60°', '0.5'],
    ['tan 45 deg', '1'],
    ['sin 1', '0.841470984808 ~'],
    // words
    ['half of a dozen', '6'],
    ['two thirds of 90', '60'],
    ['a quarter of 80 plus 2', '22'],
    ['three point five times two', '7'],
    ['3 million / 4', '750000'],
    ['one hundred and twenty-five plus five', '130'],
    ['2 to the power of 10', '1024'],
    ['12 over 4', '3'],
    ['$5 * 3', '15'],
    // Chinese
    ['三加四乘五', '23'],
    ['2除5', '2.5'],
    ['5除以2', '2.5'],
    ['3的平方加4的平方', '25'],
    ['16的平方根', '4'],
    ['根号16加9', '13'],
    ['2的负2次方', '0.25'],
    ['三分之一加六分之一', '0.5'],
    ['90的三分之一', '30'],
    ['左括号三加五右括号乘二', '16'],
    ['负三加五', '2'],
    ['请问15加27等于多少呢', '42'],
  ])('%s', (text, wanted) => {
    expect(pure(text)).toBe(wanted);
  });

  test('pi alone is none, pi that is asked for is', () => {
    expect(pure('pi')).toBeNull();
    expect(solveAsked('pi', HERE)).toMatchObject({ type: 'value', value: '3.14159265359', approximate: true });
  });
});

describe('printing', () => {
  test.each([
    ['0.1 + 0.2', '0.3'],
    ['1/3 + 1/3', '0.666666666667 ~'],
    ['-200/300', '-0.666666666667 ~'],
    ['1 / 2^15', '0.000030517578125'],
    ['1 / 2^20', '9.53674316406e-7 ~'],
    ['1/3e20', '3.33333333333e-21 ~'],
    ['10^30 + 1', '1000000000000000000000000000001'],
    ['1 - 1', '0'],
    ['0 * -5', '0'],
  ])('%s', (text, wanted) => {
    expect(pure(text)).toBe(wanted);
  });
});

describe('what has no value says why', () => {
  test.each([
    ['10 / 0', 'division_by_zero'],
    ['5 mod 0', 'division_by_zero'],
    ['0^-1', 'division_by_zero'],
    ['sqrt(-4)', 'domain'],
    ['(-8)^(1/3)', 'domain'],
    ['log(0)', 'domain'],
    ['ln -1', 'domain'],
    ['tan 90 degrees', 'domain'],
    ['0.5!', 'domain'],
    ['(-3)!', 'domain'],
    ['1001!', 'out_of_range'],
    ['9^9^9', 'out_of_range'],
    ['2^4000', 'out_of_range'],
    ['exp(10000)', 'out_of_range'],
    ['sin(1e20)', 'out_of_range'],
  ])('%s', (text, code) => {
    expect(pure(text)).toBe(code);
  });

  test('the largest that there are', () => {
    expect(pure('2^3999')).toBe((2n ** 3999n).toString());
    expect(pure('1000!')?.length).toBe(2568);
  });
});

describe('no arithmetic', () => {
  test.each([
    '42',
    '-2',
    '(42)',
    '15%',
    '30°',
    '2e',
    '1 000 + 1',
    '1,2 + 3',
    '1 2',
    '2 +',
    '0x1F + 1',
    '1.2.3 + 4',
    '192.168.0.1/24',
    '16:9',
    '3-2',
    '555-867-5309',
    '27-30%',
    '7/4',
    '-1/2',
    '12/25/2024',
    '2024/05/12',
    '2026-03-14',
    'what is 2026-03-14',
    '1080x1920',
    '1080×1920',
    "what's 50/50",
    'x + 3',
    '3 x + 2',
    '3x + 2',
    '(2 3) 4',
    '三加一补习班',
    '半夜三更',
    '百分之百',
    '----------',
    '((((((',
    '+',
    '=',
    '',
  ])('%j', (text) => {
    expect(solve(text, HERE)).toEqual({ shape: 'none' });
  });

  test('a parenthesis that is not closed leaves a sentence with arithmetic in it', () => {
    expect(['(2 + 3', '2 + 3)', ') 2 + 3 ('].map((text) => solve(text, HERE).shape)).toEqual(['embedded', 'embedded', 'embedded']);
  });

  test('a cue makes arithmetic of what could be a date, a score or a size', () => {
    expect(['what is 7/4', 'what is 10-3', "what's 12x12", 'calculate 24/7', '7/4 ='].map(pure)).toEqual([
      '1.75',
      '7',
      '144',
      '3.42857142857 ~',
      '1.75',
    ]);
  });

  test('what a model writes for a tool is always meant', () => {
    const asked = ['7/4', '10-3', '24/7', '42', '12x12', '2e'].map((text) => solveAsked(text, HERE));
    expect(asked.map((answer) => (answer === null ? null : inOneLine(answer)))).toEqual([
      '1.75',
      '7',
      '3.42857142857 ~',
      '42',
      '144',
      '5.43656365692 ~',
    ]);
    expect(solveAsked('how are you', HERE)).toBeNull();
  });
});

describe('what is in a text', () => {
  const found = (text: string): readonly string[] => {
    const solution = solve(text, HERE);
    return solution.shape === 'embedded' ? solution.answers.map((answer) => `${answer.source} = ${inOneLine(answer)}`) : [];
  };

  test.each<[string, readonly string[]]>([
    ['see (3 * 4) and 5 + 6', ['(3 * 4) = 12', '5 + 6 = 11']],
    ['price: 3 * 4, then 7 / 2. Also 2^10!', ['3 * 4 = 12', '7 / 2 = 3.5', '2^10 = 1024']],
    ['is 15% of 80 fair?', ['15% of 80 = 12']],
    ['我买了3本书，3*25+10一共多少', ['3*25+10 = 85']],
    ['10 / 0 is what?', ['10 / 0 = division_by_zero']],
    ['a 1 + 1 b 2 + 2 c 3 + 3 d 4 + 4', ['1 + 1 = 2', '2 + 2 = 4', '3 + 3 = 6']],
    ['first\n2 * 3\n4 * 5', ['2 * 3 = 6', '4 * 5 = 20']],
    ['my phone is +1 (555) 867-5309', []],
    ['https://host.example/3*4', []],
    ['chapter 3 (4 pages)', []],
    ['v1.2 + 3', []],
    ['on 10/12/2024 - 11/12/2024', []],
    ['1/2 cup of flour', []],
    ['a 3x4 grid', []],
  ])('%j', (text, wanted) => {
    expect(found(text)).toEqual(wanted);
  });
});
