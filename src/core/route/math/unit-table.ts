/** What can be converted into one another. */
export const DIMENSIONS = ['length', 'mass', 'volume', 'time', 'data', 'speed', 'area', 'temperature'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** A unit as a row: its symbol, its exact size in the dimension's base unit as `n` or `n/d`, its names in lower case. */
export type UnitRow = readonly [symbol: string, size: string, names: string];

const INCH = '254/10000';
const POUND = '45359237/100000000';

/**
 * Sizes are definitions, so they are exact. Names with a size of their own in different countries (ton) and of no fixed size (month, year) are left out
 * on purpose; cups, spoons, pints and gallons are those of the United States.
 */
export const UNIT_ROWS: { readonly [dimension in Exclude<Dimension, 'temperature'>]: readonly UnitRow[] } = {
  // metres
  length: [
    ['km', '1000', 'km|kms|kilometer|kilometers|kilometre|kilometres|公里|千米'],
    ['m', '1', 'm|meter|meters|metre|metres|米'],
    ['dm', '1/10', 'dm|decimeter|decimeters|decimetre|decimetres|分米'],
    ['cm', '1/100', 'cm|cms|centimeter|centimeters|centimetre|centimetres|厘米|公分'],
    ['mm', '1/1000', 'mm|millimeter|millimeters|millimetre|millimetres|毫米'],
    ['μm', '1/1000000', 'μm|um|micrometer|micrometers|micrometre|micrometres|micron|microns|微米'],
    ['nm', '1/1000000000', 'nm|nanometer|nanometers|nanometre|nanometres|纳米'],
    ['mi', '1609344/1000', 'mi|mile|miles|英里'],
    ['yd', '9144/10000', 'yd|yds|yard|yards|码'],
    ['ft', '3048/10000', "ft|foot|feet|'|英尺"],
    ['in', INCH, 'in|inch|inches|"|英寸'],
    ['nmi', '1852', 'nmi|nautical mile|nautical miles|海里'],
    ['里', '500', '里|华里|市里'],
    ['丈', '10/3', '丈'],
    ['尺', '1/3', '尺|市尺'],
    ['寸', '1/30', '寸|市寸'],
  ],
  // kilograms
  mass: [
    ['kg', '1', 'kg|kgs|kilo|kilos|kilogram|kilograms|kilogramme|kilogrammes|公斤|千克'],
    ['g', '1/1000', 'g|gram|grams|gramme|grammes|克'],
    ['mg', '1/1000000', 'mg|milligram|milligrams|毫克'],
    ['μg', '1/1000000000', 'μg|ug|mcg|microgram|micrograms|微克'],
    ['t', '1000', 't|tonne|tonnes|metric ton|metric tons|吨'],
    ['lb', POUND, 'lb|lbs|pound|pounds|磅'],
    ['oz', '45359237/1600000000', 'oz|ounce|ounces|盎司'],
    ['st', '635029318/100000000', 'st|stone|stones|英石'],
    ['斤', '1/2', '斤|市斤'],
    ['两', '1/20', '两|市两'],
    ['钱', '1/200', '钱'],
  ],
  // litres
  volume: [
    ['l', '1', 'l|liter|liters|litre|litres|升|公升'],
    ['dl', '1/10', 'dl|deciliter|deciliters|decilitre|decilitres|分升'],
    ['cl', '1/100', 'cl|centiliter|centiliters|centilitre|centilitres|厘升'],
    ['ml', '1/1000', 'ml|milliliter|milliliters|millilitre|millilitres|cc|cm^3|cubic centimeters|cubic centimetres|毫升|立方厘米'],
    ['m^3', '1000', 'm^3|cubic meter|cubic meters|cubic metre|cubic metres|立方米'],
    ['gal', '3785411784/1000000000', 'gal|gals|gallon|gallons|us gallon|us gallons|加仑'],
    ['qt', '946352946/1000000000', 'qt|quart|quarts|夸脱'],
    ['pt', '473176473/1000000000', 'pt|pint|pints|品脱'],
    ['cup', '2365882365/10000000000', 'cup|cups|us cup|us cups'],
    ['fl oz', '295735295625/10000000000000', 'fl oz|floz|fluid ounce|fluid ounces|液盎司|液体盎司'],
    ['tbsp', '1478676478125/100000000000000', 'tbsp|tbsps|tablespoon|tablespoons|汤匙'],
    ['tsp', '492892159375/100000000000000', 'tsp|tsps|teaspoon|teaspoons|茶匙'],
  ],
  // seconds
  time: [
    ['s', '1', 's|sec|secs|second|seconds|秒|秒钟'],
    ['ms', '1/1000', 'ms|msec|millisecond|milliseconds|毫秒'],
    ['μs', '1/1000000', 'μs|us|microsecond|microseconds|微秒'],
    ['ns', '1/1000000000', 'ns|nanosecond|nanoseconds|纳秒'],
    ['min', '60', 'min|mins|minute|minutes|分钟|分'],
    ['h', '3600', 'h|hr|hrs|hour|hours|小时|个小时|钟头|个钟头'],
    ['d', '86400', 'd|day|days|天|日'],
    ['wk', '604800', 'wk|wks|week|weeks|周|星期|个星期|礼拜|个礼拜'],
  ],
  // bits
  data: [
    ['bit', '1', 'bit|bits|比特'],
    ['B', '8', 'b|byte|bytes|字节'],
    ['kB', '8000', 'kb|kilobyte|kilobytes|千字节'],
    ['MB', '8000000', 'mb|megabyte|megabytes|兆字节'],
    ['GB', '8000000000', 'gb|gigabyte|gigabytes|吉字节'],
    ['TB', '8000000000000', 'tb|terabyte|terabytes|太字节'],
    ['PB', '8000000000000000', 'pb|petabyte|petabytes'],
    ['KiB', '8192', 'kib|kibibyte|kibibytes'],
    ['MiB', '8388608', 'mib|mebibyte|mebibytes'],
    ['GiB', '8589934592', 'gib|gibibyte|gibibytes'],
    ['TiB', '8796093022208', 'tib|tebibyte|tebibytes'],
    ['PiB', '9007199254740992', 'pib|pebibyte|pebibytes'],
    ['kbit', '1000', 'kbit|kbits|kilobit|kilobits'],
    ['Mbit', '1000000', 'mbit|mbits|megabit|megabits|兆比特'],
    ['Gbit', '1000000000', 'gbit|gbits|gigabit|gigabits'],
  ],
  // metres a second
  speed: [
    ['m/s', '1', 'm/s|mps|meters per second|metres per second|米每秒|米/秒'],
    ['km/h', '1000/3600', 'km/h|kmh|kph|kilometers per hour|kilometres per hour|公里每小时|千米每小时|公里/小时|千米/小时'],
    ['mph', '1609344/3600000', 'mph|mi/h|miles per hour|mile per hour|英里每小时|英里/小时'],
    ['ft/s', '3048/10000', 'ft/s|fps|feet per second|英尺每秒|英尺/秒'],
    ['kn', '1852/3600', 'kn|kt|kts|knot|knots|节'],
  ],
  // square metres
  area: [
    ['km^2', '1000000', 'km^2|sq km|square kilometer|square kilometers|square kilometre|square kilometres|平方公里|平方千米'],
    ['m^2', '1', 'm^2|sqm|sq m|square meter|square meters|square metre|square metres|平方米|平米'],
    ['cm^2', '1/10000', 'cm^2|sq cm|square centimeter|square centimeters|square centimetre|square centimetres|平方厘米'],
    ['mm^2', '1/1000000', 'mm^2|sq mm|square millimeters|square millimetres|平方毫米'],
    ['ha', '10000', 'ha|hectare|hectares|公顷'],
    ['acre', '40468564224/10000000', 'acre|acres|ac|英亩'],
    ['sqft', '9290304/100000000', 'sqft|sq ft|ft^2|square foot|square feet|平方英尺'],
    ['sq in', '64516/100000000', 'sq in|in^2|square inch|square inches|平方英寸'],
    ['sq mi', '2589988110336/1000000', 'sq mi|mi^2|square mile|square miles|平方英里'],
    ['亩', '2000/3', '亩|市亩'],
  ],
};

/** A scale of temperature: `kelvin = (degrees + zero) * size`. */
export type ScaleRow = readonly [symbol: string, size: string, zero: string, names: string];

export const TEMPERATURE_ROWS: readonly ScaleRow[] = [
  ['C', '1', '27315/100', 'c|°c|celsius|degrees celsius|degree celsius|degrees c|centigrade|degrees centigrade|摄氏度|摄氏|度'],
  ['F', '5/9', '45967/100', 'f|°f|fahrenheit|degrees fahrenheit|degree fahrenheit|degrees f|华氏度|华氏'],
  ['K', '1', '0', 'k|kelvin|kelvins|开尔文|开氏度|开'],
];
