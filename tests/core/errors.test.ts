import { expect, test } from 'vitest';
import { AppError, fromErrorData, isAbort, toErrorData, type ErrorData } from '../../src/core/errors';

test('an error crosses a port with its code, its facts and nothing else', () => {
  const error = new AppError('rate-limit', {
    retryable: true,
    details: { host: 'api.example', retryAfterMs: 1000 },
    cause: new Error('secret'),
  });
  const data = structuredClone(toErrorData(error));
  expect(data).toEqual({ code: 'rate-limit', retryable: true, details: { host: 'api.example', retryAfterMs: 1000 } });
  expect(fromErrorData(data)).toMatchObject({ code: 'rate-limit', retryable: true });
});

test('a code of another build, for which there is no sentence, becomes internal', () => {
  const data: ErrorData = JSON.parse('{"code":"from-the-future","retryable":true,"details":{}}');
  expect(fromErrorData(data).code).toBe('internal');
});

test('an unknown failure becomes internal and keeps its stack', () => {
  expect(toErrorData(new TypeError('odd'))).toMatchObject({
    code: 'internal',
    retryable: false,
    details: { stack: expect.stringContaining('TypeError: odd') },
  });
  expect(toErrorData('plain').details).toEqual({ stack: 'plain' });
});

test('cancellation is told apart by its name', () => {
  const controller = new AbortController();
  controller.abort();
  expect(isAbort(controller.signal.reason)).toBe(true);
  expect(isAbort(new AppError('internal'))).toBe(false);
});
