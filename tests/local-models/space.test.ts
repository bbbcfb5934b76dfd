import { afterEach, expect, test, vi } from 'vitest';
import { quotaOr, refuseWhereNoSpace, SPACE_RESERVE_BYTES } from '../../src/local-models/space';

function withSpace(estimate: StorageEstimate): void {
  vi.stubGlobal('navigator', { storage: { estimate: async () => estimate } });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('what can not fit with some room to spare is refused with what it needs and what there is', async () => {
  withSpace({ quota: SPACE_RESERVE_BYTES + 100, usage: 40 });
  const details = { needBytes: 61, haveBytes: SPACE_RESERVE_BYTES + 60 };
  await expect(refuseWhereNoSpace(61)).rejects.toMatchObject({ code: 'storage-quota', details });
  await refuseWhereNoSpace(60);
});

test('what is here already needs no space, however full it is', async () => {
  withSpace({ quota: 100, usage: 100 });
  await refuseWhereNoSpace(0);
});

test('a browser that says nothing refuses nothing', async () => {
  withSpace({});
  await refuseWhereNoSpace(1e15);
});

test('a full disk is told from other failures', () => {
  expect(quotaOr(new DOMException('full', 'QuotaExceededError')).code).toBe('storage-quota');
  expect(quotaOr(new DOMException('busy', 'NoModificationAllowedError')).code).toBe('storage-failed');
});
