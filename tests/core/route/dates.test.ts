import { describe, expect, test } from 'vitest';
import { solve, solveAsked } from '../../../src/core/route/math/solve';
import { HERE, inOneLine, pure } from './answers';

describe('dates', () => {
  test.each([
    ['what date is in 3 weeks', '2026-04-04 Saturday'],
    ['what was the date 3 days ago', '2026-03-11 Wednesday'],
    ['2 weeks after christmas', '2027-01-08 Friday'],
    ['3 weeks before july 4', '2026-06-13 Saturday'],
    ['1 year and 2 months from today', '2027-05-14 Friday'],
    ['2026-03-14 + 10 days', '2026-03-24 Tuesday'],
    ['march 14 minus 2 weeks', '2026-02-28 Saturday'],
    ['feb 29 2024 plus 1 year', '2025-02-28 Friday'],
    ['1 business day before today', '2026-03-13 Friday'],
    ['1 business day after 2026-03-13', '2026-03-16 Monday'],
    ['5 business days before 2026-03-15', '2026-03-09 Monday'],
    ['7 business days from 2026-03-18', '2026-03-27 Friday'],
    ['what date is 1000000 years from now', 'out_of_range'],
    ['what day of the week is 100 days from today', 'Monday 2026-06-22'],
    ['what day is christmas', 'Friday 2026-12-25'],
    ['what day was christmas', 'Thursday 2025-12-25'],
    ['what day is tomorrow', 'Sunday 2026-03-15'],
    ['what day of the week will christmas 2030 fall on', 'Wednesday 2030-12-25'],
    ['days until friday', '6 days'],
    ['how many days until feb 29', '717 days'],
    ['how many weeks until march 28', '2 weeks'],
    ['how many days since christmas', '79 days'],
    ['how many days since 2020-01-01', '2264 days'],
    ['days between november 1 and february 1', '92 days'],
    ['days between 2026-04-15 and 2026-03-01', '45 days'],
    ['days between christmas and today', '79 days'],
    ['三天前是几号', '2026-03-11 星期三'],
    ['再过100天是星期几', '星期一 2026-06-22'],
    ['明天是星期几', '星期日 2026-03-15'],
    ['两个月后是几号', '2026-05-14 星期四'],
    ['国庆节后10天是几号', '2026-10-11 星期日'],
    ['二〇二六年十月一日是星期几', '星期四 2026-10-01'],
    ['从今天到国庆节有多少天', '201 days'],
    ['去年3月1日到今天多少天', '378 days'],
    ['距离2020年1月1日已经过去多少天了', '2264 days'],
  ])('%s', (text, wanted) => {
    expect(pure(text)).toBe(wanted);
  });

  test.each([
    'in 3 weeks',
    '30天后',
    'july 20, 1969',
    'february 30 plus 1 day',
    '12/25/2024 plus 3 days',
    'how many days until easter',
    '距离春节还有多少天',
    "what's today's date",
    'what day is it today',
    'what day is today',
    '今天星期几',
    '66 million years ago',
    '1.5 days from today',
    'what day suits you',
    'three days after the party',
  ])('%s is none', (text) => {
    expect(solve(text, HERE)).toEqual({ shape: 'none' });
  });

  test('an amount alone is a question where it was asked', () => {
    const asked = ['in 3 weeks', '30天后'].map((text) => solveAsked(text, HERE));
    expect(asked.map((answer) => answer && inOneLine(answer))).toEqual(['2026-04-04 Saturday', '2026-04-13 星期一']);
  });

  test('today is a matter of the zone, weekdays of the language', () => {
    const late = Date.parse('2026-03-14T23:30:00Z');
    const answers = ['UTC', 'Asia/Tokyo', 'America/New_York'].map((zone) =>
      solve('what date is 1 day from today', { now: late, zone, language: 'zh' }),
    );
    expect(answers.map((solution) => (solution.shape === 'pure' ? inOneLine(solution.answer) : null))).toEqual([
      '2026-03-15 星期日',
      '2026-03-16 星期一',
      '2026-03-15 星期日',
    ]);
  });
});
