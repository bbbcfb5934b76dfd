import { describe, expect, test } from 'vitest';
import { convertUnits } from '../../src/tools/convert-units';
import { ArgumentsError } from '../../src/tools/arguments-error';
import { idleToolContext } from '../support/idle-tool-context';

const convert = (value: number | string, from: string, to: string) => convertUnits.call({ value, from, to }, idleToolContext());

describe('convert_units', () => {
  test.each<[number | string, string, string, string]>([
    [72, 'kg', 'pounds', '72 kg = 158.732828773 lb (rounded to 12 significant digits)'],
    ['3/4', 'cup', 'ml', '3/4 cup = 177.441177375 ml'],
    ['2 1/2', 'ft', 'in', '2 1/2 ft = 30 in'],
    ['1,250.5', 'm', 'km', '1,250.5 m = 1.2505 km'],
    [-40, 'Celsius', '°F', '-40 C = -40 F'],
    ['三', '公斤', '斤', '三 kg = 6 斤'],
    [1e21, 'nm', 'm', '1e+21 nm = 1000000000000 m'],
    [0.1, 'm', 'cm', '0.1 m = 10 cm'],
    [8, 'Mb', 'MB', '8 Mbit = 1 MB'],
    [1, 'GiB', 'MiB', '1 GiB = 1024 MiB'],
    [5, 'km', 'km', '5 km = 5 km'],
  ])('%s %s in %s', async (value, from, to, text) => {
    const outcome = await convert(value, from, to);
    expect(outcome.text).toBe(text);
    expect(outcome).not.toHaveProperty('failure');
  });

  test('the card has the result as data', async () => {
    expect((await convert('3/4', 'cup', 'ml')).data).toEqual({
      kind: 'conversion',
      value: '3/4',
      from: 'cup',
      to: 'ml',
      result: { value: '177.441177375', approximate: false },
    });
  });

  test('an unknown unit fails and names those of the other one’s dimension', async () => {
    const outcome = await convert(5, 'km', 'parsecs');
    expect(outcome.failure).toBe('arguments-invalid');
    expect(outcome.text).toBe(
      '“parsecs” is no unit known here. Known are length: km, m, dm, cm, mm, μm, nm, mi, yd, ft, in, nmi, 里, 丈, 尺, 寸.',
    );
    expect((await convert(5, 'usd', 'eur')).text).toMatch(/“usd” and “eur” are no units.*length: km.*temperature: C, F, K\./);
  });

  test('two dimensions fail and name what would do', async () => {
    const outcome = await convert(5, '°C', 'kg');
    expect(outcome.failure).toBe('arguments-invalid');
    expect(outcome.text).toBe('C measures temperature and kg measures mass. C can be converted to: C, F, K.');
  });

  test('what is no number fails, and below absolute zero nothing is', async () => {
    expect(await convert('many', 'km', 'm')).toMatchObject({ failure: 'arguments-invalid', text: '“many” is not a number.' });
    expect((await convert(-500, 'C', 'F')).text).toContain('below absolute zero');
    await expect(convert(Infinity, 'km', 'm')).rejects.toBeInstanceOf(ArgumentsError);
    await expect(convert('1', '', 'm')).rejects.toBeInstanceOf(ArgumentsError);
  });

  test('a stopped run gets no answer', async () => {
    const stopped = idleToolContext({ signal: AbortSignal.abort() });
    await expect(convertUnits.call({ value: 1, from: 'km', to: 'm' }, stopped)).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('models see that the amount may be a number or a text', () => {
    expect(convertUnits).toMatchObject({ name: 'convert_units', group: 'calculation', approval: 'never', isAgentTool: false });
    expect(convertUnits.parameters).toMatchObject({
      required: ['value', 'from', 'to'],
      properties: { value: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
    });
  });
});
