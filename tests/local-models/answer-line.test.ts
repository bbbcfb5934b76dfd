import { expect, test } from 'vitest';
import { AnswerLine } from '../../src/local-models/answer-line';

const never = new AbortController().signal;

test('chats are served one at a time, in the order in which they came', async () => {
  const line = new AnswerLine();
  const order: string[] = [];
  const first = await line.enter('chat', never);
  const rest = ['second', 'third'].map(async (name) => {
    const place = await line.enter('chat', never, () => order.push(`${name} waits`));
    order.push(name);
    place.leave();
  });
  first.leave();
  await Promise.all(rest);
  expect(order).toEqual(['second waits', 'third waits', 'second', 'third']);
  expect(line.isBusy).toBe(false);
});

test('a chat sends background work away, and comes before all of it', async () => {
  const line = new AnswerLine();
  const title = await line.enter('background', never);
  const order: string[] = [];
  const waiting = line.enter('background', never).then((place) => {
    order.push('background');
    place.leave();
  });
  const chat = line.enter('chat', never).then((place) => {
    order.push('chat');
    place.leave();
  });
  expect(title.signal.aborted).toBe(true);
  expect(title.signal.reason).toMatchObject({ code: 'interrupted', retryable: true });
  title.leave();
  await Promise.all([waiting, chat]);
  expect(order).toEqual(['chat', 'background']);
});

test('background work that has just got its turn is sent away too', async () => {
  const line = new AnswerLine();
  const first = await line.enter('chat', never);
  const title = line.enter('background', never);
  first.leave();
  const chat = line.enter('chat', never);
  const place = await title;
  expect(place.signal.aborted).toBe(true);
  place.leave();
  (await chat).leave();
});

test('who gives up waiting is forgotten', async () => {
  const line = new AnswerLine();
  const first = await line.enter('chat', never);
  const controller = new AbortController();
  const second = line.enter('chat', controller.signal);
  controller.abort();
  await expect(second).rejects.toThrow('abort');
  first.leave();
  first.leave();
  (await line.enter('chat', never)).leave();
  expect(line.isBusy).toBe(false);
});
