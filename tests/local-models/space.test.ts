import { afterEach, expect, test, vi } from 'vitest';
import { quotaOr, refuseWhereNoSpace } from '../../src/local-models/space';

function withSpace(estimate: StorageEstimate): void {
  vi.stubGlobal('navigator', { storage: { estimate: async () => estimate } });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('what can not fit is refused with what it needs and what there is', async () => {
  withSpace({ quota: 100, usage: 40 });
  await expect(refuseWhereNoSpace(61)).rejects.toMatchObject({ code: 'storage-quota', details: { needBytes: 61, haveBytes: 60 } });
  await refuseWhereNoSpace(60);
});

test('a browser that says nothing refuses nothing', async () => {
  withSpace({});
  await refuseWhereNoSpace(1e15);
});

test('a full disk is told from other failures', () => {
  expect(quotaOr(new DOMException('full', 'QuotaExceededError')).code).toBe('storage-quota');
  expect(quotaOr(new DOMException('busy', 'NoModificationAllowedError')).code).toBe('storage-failed');
});
