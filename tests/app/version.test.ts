import { expect, test } from 'vitest';
import { version } from '../../package.json';
import { APP_VERSION } from '../../src/app/version';

test('the version shown is the version of the package', () => {
  expect(APP_VERSION).toBe(version);
});
