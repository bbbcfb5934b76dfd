import type { ErrorCode, JsonObject } from '../../../core/errors';
import { hostDetail, numberDetail, providerWords, textDetail } from '../details';
import { formatBytes, formatNumber } from '../format';
import type { ErrorText } from '../texts';

const TAG = 'en';
const server = (details: JsonObject): string => hostDetail(details) ?? 'the server';
const Server = (details: JsonObject): string => hostDetail(details) ?? 'The server';
const said = (details: JsonObject): string => {
  const words = providerWords(details);
  return words === undefined ? '' : ` It said: “${words}”`;
};
const model = (details: JsonObject): string => textDetail(details, 'modelId') ?? textDetail(details, 'model') ?? 'This model';
const size = (details: JsonObject, name: string): string | undefined => {
  const bytes = numberDetail(details, name);
  return bytes === undefined ? undefined : formatBytes(TAG, bytes);
};

/** What each failure says: one sentence of what happened and why, one of what to do. */
export const errors: { readonly [code in ErrorCode]: (details: JsonObject) => ErrorText } = {
  'message-empty': () => ({ title: 'There is nothing to send yet.', advice: 'Write something or add a file.' }),
  'model-missing': () => ({ title: 'No model is chosen.', advice: 'Choose one next to the message field, or add an account in Settings.' }),
  'account-missing': () => ({
    title: 'The account this model belongs to is gone.',
    advice: 'Choose another model, or add the account again in Settings.',
  }),
  'image-unsupported': (details) => ({
    title: `${model(details)} can’t read images.`,
    advice: 'Remove the image or choose a model with vision. If the model can see after all, say so in its account’s model settings.',
  }),
  'document-unsupported': (details) => ({
    title: `${model(details)} can’t read PDFs.`,
    advice: 'Remove the PDF or choose a model that reads them. If the model can after all, say so in its account’s model settings.',
  }),
  'audio-unsupported': (details) => ({
    title: `${model(details)} can’t hear sound.`,
    advice: 'Remove the sound or choose a model that hears. If the model can after all, say so in its account’s model settings.',
  }),
  'attachment-type': (details) => ({
    title: `${textDetail(details, 'name') ?? 'This file'} is not a kind of file that can be attached.`,
    advice: 'Attach an image (PNG, JPEG, WebP, GIF), a PDF or sound (MP3, WAV, M4A, AAC, Ogg, FLAC, WebM).',
  }),
  'attachment-too-large': (details) => {
    const limit = size(details, 'limitBytes') ?? size(details, 'maxBytes');
    return {
      title: `${textDetail(details, 'name') ?? 'This file'} is too large${limit === undefined ? '' : ` (the limit is ${limit})`}.`,
      advice: 'Make it smaller and attach it again.',
    };
  },
  auth: (details) => ({
    title:
      textDetail(details, 'cause') === 'key-hidden'
        ? `${Server(details)} refused the request and hides why; most likely the key is wrong.`
        : `${Server(details)} did not accept the key.${said(details)}`,
    advice: 'Check the key in the account’s settings: it may be mistyped, expired, or made for another service.',
  }),
  quota: (details) => ({
    title: `The account at ${server(details)} has no credit or quota left.${said(details)}`,
    advice: 'Top it up at the provider, or choose a model of another account.',
  }),
  'rate-limit': (details) => {
    const seconds = waitSeconds(details);
    return {
      title: `${Server(details)} is getting more requests from this account than it allows.${said(details)}`,
      advice: seconds === undefined ? 'Wait a minute and try again.' : `Wait ${formatNumber(TAG, seconds)} s and try again.`,
    };
  },
  overloaded: (details) => ({
    title: `${Server(details)} is overloaded at the moment.`,
    advice: 'Try again in a little while, or choose another model.',
  }),
  timeout: (details) => ({
    title: `${Server(details)} did not answer in time.`,
    advice: 'Try again. A local server may still be loading the model.',
  }),
  'request-rejected': (details) => ({
    title: `${Server(details)} rejected the request${status(details)}.${said(details)}`,
    advice: 'Check the account’s extra settings (sampling, headers, body entries), or choose another model.',
  }),
  'model-not-found': (details) => ({
    title: `${Server(details)} does not have the model${named(details)}.`,
    advice: 'Choose another model. On a local server, load or download this one first.',
  }),
  'context-overflow': () => ({
    title: 'The conversation is longer than this model can read.',
    advice: 'Choose a model with a larger context, or go on in a new chat.',
  }),
  refused: (details) => ({
    title: `The provider’s filter stopped this answer.${said(details)}`,
    advice: 'Put the question differently, or choose another model.',
  }),
  'not-an-api': (details) => ({
    title: `${Server(details)} answers, but not as a model server does.`,
    advice: 'Check the address. For OpenAI-compatible servers it usually ends in /v1.',
  }),
  'stream-cut': () => ({
    title: 'The connection broke off before the answer was complete.',
    advice: 'What arrived is kept. Choose “Continue” to go on from there.',
  }),
  'provider-error': (details) => ({
    title: `${Server(details)} had a fault of its own${status(details)}.${said(details)}`,
    advice: 'Try again in a moment, or choose another model.',
  }),
  'answer-empty': () => ({
    title: 'The model ended without saying anything.',
    advice: 'Try again. If it happens every time, raise the account’s limit for answer tokens or choose another model.',
  }),
  'model-not-downloaded': (details) => ({
    title: `${model(details)} is not on this device.`,
    advice: 'Download it in Settings, under “On this device”, or choose another model.',
  }),
  'model-file-invalid': (details) => ({
    title: `${textDetail(details, 'name') ?? 'What was downloaded'} is not the model file that it should be.`,
    advice: 'Nothing of it was kept. Check the address or the file and try again.',
  }),
  'model-load-failed': (details) => ({
    title: `${model(details)} could not be loaded on this device.`,
    advice: 'Try again. If it fails every time, remove the model and download it anew, or choose a smaller one.',
  }),
  'out-of-memory': (details) => ({
    title: `This device has too little memory for ${named(details) === '' ? 'this model' : model(details)}.`,
    advice: `${smaller(details)} Closing other tabs and programs helps, too.`,
  }),
  'device-lost': (details) => ({
    title: 'The graphics processor stopped in the middle of the work.',
    advice: `Try again: the model is loaded anew. ${smaller(details)}`,
  }),
  offline: () => ({
    title: 'This device is offline.',
    advice: 'Your message is kept. Try again once there is a connection, or use a server on this machine.',
  }),
  'server-unreachable': (details) => ({
    title: `Nothing answers at ${hostDetail(details) ?? 'this address'}.`,
    advice: isLocal(details)
      ? 'Start the server on that machine, then check the address and the port.'
      : 'Check the address. If it is right, a firewall or a content blocker may be in the way; allow it there.',
  }),
  'origin-blocked': (details) => ({
    title: `${Server(details)} is running, but it does not let this page in.`,
    advice: `Allow ${textDetail(details, 'pageOrigin') ?? 'this page’s address'} in the server’s settings and restart it.`,
  }),
  'mixed-content': (details) => ({
    title: `The browser does not let a secure page reach ${server(details)} over plain http.`,
    advice: 'Use an https address, or open Jackdaw from http://localhost on the same machine.',
  }),
  'local-network-permission': (details) => ({
    title: `The browser has not been allowed to reach ${hostDetail(details) ?? 'devices on the local network'}.`,
    advice:
      'Test the connection again and choose “Allow”. If there is no question any more, reset the permission from the icon left of the address.',
  }),
  'offline-lock': (details) => ({
    title: `The offline lock is on, so nothing was sent${hostDetail(details) === undefined ? '' : ` to ${server(details)}`}.`,
    advice: 'Turn it off in Settings, under Privacy, to reach a model.',
  }),
  'address-invalid': (details) => {
    if (textDetail(details, 'reason') === 'redirect') {
      return {
        title: `${Server(details)} sends requests on to another address.`,
        advice: 'Enter the final address in the account’s settings, so that the key goes nowhere else.',
      };
    }
    const address = textDetail(details, 'address');
    return {
      title: `${address === undefined ? 'This' : `“${address}”`} is not an address that can be used.`,
      advice: 'Enter a full address that begins with https:// or http://.',
    };
  },
  'header-forbidden': (details) => {
    const header = textDetail(details, 'header');
    return header === undefined
      ? {
          title: `${Server(details)} refuses one of the headers that were sent.`,
          advice: 'Remove extra headers from the account. On a server of your own, allow them in its CORS settings.',
        }
      : { title: `A web page can’t send the header “${header}”.`, advice: 'Remove it from the account’s extra headers.' };
  },
  'storage-quota': (details) => ({
    title: `The browser has no space left for Jackdaw${missing(details)}.`,
    advice: 'Free some space on this device or delete old conversations or models.',
  }),
  'storage-closed': () => ({
    title: 'The browser closed Jackdaw’s storage.',
    advice: 'Reload the page. What was saved is still there.',
  }),
  'storage-blocked': () => ({
    title: 'Another tab with an older Jackdaw keeps the storage busy.',
    advice: 'Close the other Jackdaw tabs.',
  }),
  'storage-outdated': () => ({
    title: 'This tab is out of date: Jackdaw was updated in another one.',
    advice: 'Reload to go on. Nothing that was sent is lost, and what stands in the message field stays.',
  }),
  'storage-gone': () => ({
    title: 'What Jackdaw had stored here has just been deleted, by another tab or by the browser.',
    advice: 'Copy what you still need from this page, then reload. What stands in the message field stays.',
  }),
  'storage-emptied': () => ({
    title: 'The conversations kept in this browser are gone: the browser cleared them, or its site data was deleted.',
    advice: 'Import a backup if you have one. “Ask for protection” on the same page, or installing Jackdaw, guards what comes.',
  }),
  'storage-failed': () => ({
    title: 'The browser did not let Jackdaw use its storage.',
    advice: 'Private windows and blocked site data can cause this. Allow site data for this page, then reload.',
  }),
  'key-unreadable': () => ({
    title: 'The stored key of this account can’t be read any more.',
    advice: 'Enter the key again in the account’s settings.',
  }),
  'conversation-missing': () => ({
    title: 'This conversation does not exist any more.',
    advice: 'Choose another one from the sidebar, or start a new chat.',
  }),
  'node-missing': () => ({
    title: 'This message does not exist any more.',
    advice: 'It may have been deleted in another tab. Reload the conversation.',
  }),
  'node-not-editable': () => ({
    title: 'This message can’t be changed now.',
    advice: 'Wait until its answer has ended, or stop it first.',
  }),
  'owner-silent': () => ({
    title: 'The tab that writes this answer does not react.',
    advice: 'Go to that tab, or close it; this one then takes over.',
  }),
  'worker-died': () => ({
    title: 'The part of Jackdaw that writes answers stopped unexpectedly.',
    advice: 'It has been started again, and what had arrived is kept. Choose “Continue” or try again.',
  }),
  interrupted: () => ({
    title: 'This answer was interrupted.',
    advice: 'What arrived is kept. Choose “Continue” to go on from there.',
  }),
  'step-limit': () => ({
    title: 'The answer was ended after 256 steps.',
    advice: 'Everything it did is kept. Send a message to let it go on.',
  }),
  'call-not-pending': () => ({
    title: 'This was decided already, or stopped.',
    advice: 'Nothing was changed. What is shown now is how it stands.',
  }),
  'call-elsewhere': () => ({
    title: 'That question belongs to another conversation.',
    advice: 'Open that conversation and answer there.',
  }),
  'answer-incomplete': () => ({ title: 'A question is still without an answer.', advice: 'Choose one for each, or write your own.' }),
  'arguments-invalid': () => ({
    title: 'These arguments don’t fit the tool.',
    advice: 'They must be a JSON object. Correct them, or run the call as it was.',
  }),
  'import-format': () => ({
    title: 'This file is not a Jackdaw export.',
    advice: 'Choose a file that was made with “Export” in Settings, under Data.',
  }),
  'import-newer': () => ({
    title: 'This export was made by a newer Jackdaw.',
    advice: 'Update Jackdaw here (reload the page), then import it again.',
  }),
  'import-damaged': () => ({
    title: 'This export is damaged: its end or a part of it is missing.',
    advice: 'Export again, or use another copy of the file. Nothing here was changed.',
  }),
  internal: () => ({
    title: 'Something went wrong inside Jackdaw.',
    advice: 'Try again. If it stays like this, reload the page; nothing that was saved is lost.',
  }),
};

function missing(details: JsonObject): string {
  const need = size(details, 'needBytes');
  return need === undefined ? '' : `: ${need} is needed, ${size(details, 'haveBytes')} is free`;
}

function smaller(details: JsonObject): string {
  const name = textDetail(details, 'smaller');
  return name === undefined ? 'A smaller model may fit.' : `${name} is smaller and may fit.`;
}

function isLocal(details: JsonObject): boolean {
  const space = textDetail(details, 'space');
  return space === 'loopback' || space === 'private';
}

function status(details: JsonObject): string {
  const code = numberDetail(details, 'status');
  return code === undefined || code === 0 ? '' : ` (status ${String(code)})`;
}

function named(details: JsonObject): string {
  const name = textDetail(details, 'modelId') ?? textDetail(details, 'model');
  return name === undefined ? '' : ` “${name}”`;
}

function waitSeconds(details: JsonObject): number | undefined {
  const waitMs = numberDetail(details, 'retryAfterMs');
  return waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1000));
}
