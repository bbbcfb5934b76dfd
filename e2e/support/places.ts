import type { Page } from '@playwright/test';
import { readFixture } from '../../tests/support/fixtures';
import type { Protocol } from '../../tests/support/wire-turns';
import { expect, type App } from './app';
import type { Answer, ReplayRequest, ReplayServer } from './replay-server';

/** An account at the replay server. */
export interface Place {
  readonly protocol: Protocol;
  readonly preset: string;
  readonly account: string;
  /** Path of the base at the replay server. */
  readonly base: string;
  readonly model: string;
}

/** One a protocol. */
export const PLACES: readonly Place[] = [
  { protocol: 'openai-chat', preset: 'custom', account: 'Chat', base: '/v1', model: 'replay-model' },
  { protocol: 'anthropic-messages', preset: 'anthropic', account: 'Messages', base: '/messages/v1', model: 'claude-sonnet-4-5' },
  { protocol: 'google-generative', preset: 'gemini', account: 'Gemini', base: '/v1beta', model: 'gemini-3-pro-preview' },
  { protocol: 'openai-responses', preset: 'openai-responses', account: 'Responses', base: '/responses/v1', model: 'gpt-5.1' },
];

/** A recorded answer a protocol, whole, with what its maker alone can read. */
export const WHOLE_ANSWERS: Readonly<Record<Protocol, string>> = {
  'openai-chat': 'openrouter/reasoning-claude',
  'anthropic-messages': 'anthropic/thinking-signature',
  'google-generative': 'gemini/reasoning-gemini3',
  'openai-responses': 'openai-responses/reasoning-summary-parts',
};

/** The bytes of a recorded stream, as text. */
export function recorded(name: string): string {
  return readFixture(`streams/${name}.sse`).toString('utf8');
}

/** The recorded stream as an answer of the replay server. */
export function replay(name: string): Answer {
  return { type: 'raw', pieces: [recorded(name)] };
}

/** Makes an account as a person does; its server is asked for its models. */
export async function addAccount(app: App, { preset, account, base, model, protocol }: Place): Promise<void> {
  const { page, server } = app;
  const isGoogle = protocol === 'google-generative';
  const entry = isGoogle
    ? { name: `models/${model}`, supportedGenerationMethods: ['generateContent'] }
    : { id: model, object: 'model', type: 'model' };
  server.setModels([entry], base);
  await page.goto(`/#/settings/accounts/new:${preset}`);
  await page.getByLabel('Name', { exact: true }).fill(account);
  await page.getByLabel('Address', { exact: true }).fill(`${server.origin}${base}`);
  await page.getByLabel('Key', { exact: true }).fill('sk-test-0123456789');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByRole('button', { name: `Use ${model} for new chats` }).click();
  await expect(page.getByText('Used for new chats').first()).toBeVisible();
}

/** A new chat with an account at this protocol's place. */
export async function startWith(app: App, protocol: Protocol): Promise<void> {
  const place = PLACES.find((candidate) => candidate.protocol === protocol);
  if (place === undefined) throw new Error(`${protocol} has no place.`);
  await addAccount(app, place);
  await app.page.goto('/#/');
  await expect(app.composer).toBeVisible();
}

/** A new chat with an account at every place. */
export async function startEverywhere(app: App): Promise<void> {
  for (const each of PLACES) await addAccount(app, each);
  await app.page.goto('/#/');
  await expect(app.composer).toBeVisible();
}

/** New conversations only talk from now on: calls of tools are wishes, and are told in words later. */
export async function onlyTalk(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mode: Tools' }).click();
  await page.getByRole('radio', { name: /^Text/ }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Mode: Text' })).toBeVisible();
}

/** Picks the model of the place for the open conversation. */
export async function choose(page: Page, { account, model }: Place): Promise<void> {
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByRole('combobox', { name: 'Search models' }).fill(`${model} ${account}`);
  await page.getByRole('option').first().click();
  await expect(page.getByRole('button', { name: `Model: ${model}` })).toBeVisible();
}

/** The requests for an answer so far. */
export function asked(server: ReplayServer): readonly ReplayRequest[] {
  return server.requests.filter(({ method }) => method === 'POST');
}
