import * as v from 'valibot';
import type { Unit } from '../core/route/math/units';
import { defineTool } from './define-tool';
import type { ToolOutcome } from './tool';

const DESCRIPTION =
  'Converts an amount between units of length, mass, volume, time, data, speed, area or temperature, by exact factors. Cups, spoons, pints and gallons ' +
  'are those of the United States. Currencies are not units.';

const MAX_CHARACTERS = 60;
const name = (description: string) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_CHARACTERS), v.description(description));

/** An exact conversion; a unit it doesn't know, or one of another dimension, fails and names those that would do. */
export const convertUnits = defineTool({
  name: 'convert_units',
  group: 'calculation',
  approval: 'never',
  isAgentTool: false,
  description: DESCRIPTION,
  parameters: v.strictObject({
    value: v.pipe(
      v.union([v.pipe(v.number(), v.finite()), v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_CHARACTERS))]),
      v.description('The amount: a number, or a text such as "3/4", "2 1/2" or "1,250.5".'),
    ),
    from: name('The unit of the amount, for example "kg", "cup", "°F" or "km/h".'),
    to: name('The unit to convert to.'),
  }),
  available: () => true,
  execute: async ({ value, from, to }, context) => {
    const { convertMeasure } = await import('../core/route/math/measure');
    const { findUnit } = await import('../core/route/math/units');
    context.signal.throwIfAborted();
    const [source, target] = [findUnit(from), findUnit(to)];
    if (source === null || target === null)
      return unknownUnits([source === null ? from : null, target === null ? to : null], source ?? target);
    if (source.dimension !== target.dimension) return otherDimension(source, target);
    const result = convertMeasure(String(value), source, target);
    if (result === null) return failure(`“${value}” is not a number.`);
    if (result === 'domain') return { text: `${value} ${source.symbol} is below absolute zero, so there is no such temperature.` };
    const rounded = result.approximate ? ' (rounded to 12 significant digits)' : '';
    return {
      text: `${value} ${source.symbol} = ${result.value} ${target.symbol}${rounded}`,
      data: { kind: 'conversion', value: String(value), from: source.symbol, to: target.symbol, result: { ...result } },
    };
  },
});

const failure = (text: string): ToolOutcome => ({ text, failure: 'arguments-invalid' });

async function unknownUnits(names: readonly (string | null)[], known: Unit | null): Promise<ToolOutcome> {
  const { symbolsOf } = await import('../core/route/math/units');
  const { DIMENSIONS } = await import('../core/route/math/unit-table');
  const unknown = names.filter((unknownName) => unknownName !== null).map((unknownName) => `“${unknownName}”`);
  const dimensions = known === null ? DIMENSIONS : [known.dimension];
  const lists = dimensions.map((dimension) => `${dimension}: ${symbolsOf(dimension).join(', ')}`);
  return failure(
    `${unknown.join(' and ')} ${unknown.length === 1 ? 'is no unit' : 'are no units'} known here. Known are ${lists.join('; ')}.`,
  );
}

async function otherDimension(from: Unit, to: Unit): Promise<ToolOutcome> {
  const { symbolsOf } = await import('../core/route/math/units');
  const known = symbolsOf(from.dimension).join(', ');
  return failure(
    `${from.symbol} measures ${from.dimension} and ${to.symbol} measures ${to.dimension}. ${from.symbol} can be converted to: ${known}.`,
  );
}
