/** A day of every year. */
export interface YearlyDay {
  readonly month: number;
  readonly day: number;
}

/** Holidays with a fixed day in the calendar. Those that move (Easter, the lunar new year) are left to the model on purpose. */
const HOLIDAYS: readonly (readonly [month: number, day: number, names: string])[] = [
  [1, 1, "new year|new years|new year's|new year's day|new years day|元旦|元旦节"],
  [2, 14, "valentine's day|valentines day|valentine's|情人节"],
  [3, 8, "women's day|international women's day|妇女节|三八妇女节|三八节"],
  [3, 12, '植树节'],
  [3, 14, 'pi day'],
  [3, 17, "st patrick's day|st. patrick's day|saint patrick's day"],
  [4, 1, "april fools' day|april fools|april fool's day|april fools day|愚人节"],
  [4, 22, 'earth day|世界地球日'],
  [5, 1, 'may day|劳动节|五一|五一劳动节'],
  [5, 4, '青年节|五四青年节'],
  [6, 1, '儿童节|六一|六一儿童节'],
  [6, 19, 'juneteenth'],
  [7, 1, 'canada day|建党节'],
  [7, 4, 'independence day|fourth of july'],
  [7, 14, 'bastille day'],
  [8, 1, '建军节|八一建军节'],
  [9, 10, '教师节'],
  [10, 1, '国庆|国庆节|十一国庆节|十一'],
  [10, 31, 'halloween|万圣夜'],
  [11, 11, 'veterans day|remembrance day|armistice day|双十一|双11|光棍节'],
  [12, 24, 'christmas eve|平安夜'],
  [12, 25, 'christmas|christmas day|xmas|圣诞|圣诞节'],
  [12, 26, 'boxing day'],
  [12, 31, "new year's eve|new years eve|跨年|跨年夜"],
];
const BY_NAME = new Map<string, YearlyDay>(
  HOLIDAYS.flatMap(([month, day, names]) => names.split('|').map((name) => [name, { month, day }] as const)),
);

/** The day of a holiday by its lower-case name; null where we know none that is the same day every year. */
export function holidayNamed(name: string): YearlyDay | null {
  return BY_NAME.get(name) ?? null;
}
