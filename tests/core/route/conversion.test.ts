import { describe, expect, test } from 'vitest';
import { pure } from './answers';

describe('units', () => {
  test.each([
    ['5\'11" in cm', '180.34 cm'],
    ['5 feet 11 inches in cm', '180.34 cm'],
    ['12 in in cm', '30.48 cm'],
    ['2½ cups to ml', '591.47059125 ml'],
    ['half a mile in meters', '804.672 m'],
    ['a hundred meters in feet', '328.083989501 ft ~'],
    ['1 hour 30 minutes in seconds', '5400 s'],
    ['how many feet are there in a mile', '5280 ft'],
    ['60 mph in km/h', '96.56064 km/h'],
    ['1 acre in m²', '4046.8564224 m^2'],
    ['20 ℃ to fahrenheit', '68 F'],
    ['-500 c to f', 'domain'],
    ['300 kelvin to celsius', '26.85 C'],
    ['1 mb in kb', '1000 kB'],
    ['one foot = how many inches', '12 in'],
    ['一个半小时等于多少分钟', '90 min'],
    ['三斤半等于多少克', '1750 g'],
    ['三两等于多少克', '150 g'],
    ['5千米等于多少米', '5000 m'],
    ['1里多少米', '500 m'],
    ['把10英里换算成公里', '16.09344 km'],
    ['摄氏37度是多少华氏度', '98.6 F'],
    ['60公里每小时是多少米每秒', '16.6666666667 m/s ~'],
  ])('%s', (text, wanted) => {
    expect(pure(text)).toBe(wanted);
  });

  test.each([
    '5 km in kg',
    '5 km in km',
    '2 tons in kg',
    '100 usd to eur',
    '$100 in eur',
    '5 cm 11 km in m',
    '20 c 5 c in f',
    'a day in the life',
    '100美元等于多少人民币',
    '一分钟有多重要',
    '一年有多少天',
    'put 3 in 4',
  ])('%s is none', (text) => {
    expect(pure(text)).toBeNull();
  });
});

describe('percentages', () => {
  test.each([
    ['decrease 80 by 25%', '60'],
    ['80 is what percent of 320', '25 %'],
    ['percentage change from 100 to 80', '-20 %'],
    ['percent decrease from 100 to 80', '20 %'],
    ['what percent of 0 is 5', 'division_by_zero'],
    ['10% tip on 1/2', '0.05'],
    ['500降15%', '425'],
    ['100打八五折', '85'],
    ['100打8折', '80'],
    ['30是120的百分之几', '25 %'],
    ['200元的15%', '30'],
  ])('%s', (text, wanted) => {
    expect(pure(text)).toBe(wanted);
  });

  test.each(['50% of people', '20% off everything', 'increase my salary by 10%', '打八折'])('%s is none', (text) => {
    expect(pure(text)).toBeNull();
  });
});
