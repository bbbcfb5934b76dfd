import { expect, test } from 'vitest';
import { AppError } from '../../src/core/errors';
import { lazyLocalModels } from '../../src/worker/local-models';
import { noLocalModels } from '../support/no-device';

test('models on this device are fetched with their first use, and once', async () => {
  let loads = 0;
  const models = lazyLocalModels(async () => {
    loads += 1;
    return noLocalModels;
  });
  await models.pauseDownloads(new AppError('offline-lock'));
  expect(loads).toBe(0);
  await models.warmUp();
  await models.warmUp();
  expect(loads).toBe(1);
});

test('what can’t be fetched is tried again by the next use', async () => {
  let loads = 0;
  const models = lazyLocalModels(async () => {
    loads += 1;
    if (loads === 1) throw new Error('no network');
    return noLocalModels;
  });
  await expect(models.warmUp()).rejects.toThrow('no network');
  await models.warmUp();
  expect(loads).toBe(2);
});
