import type { Account, ModelOverride, ReasoningLevel, Sampling } from '../../core/account';
import { isBaseUrl, parseBody, parseNumber, type BodyResult, type NumberRange } from './account-values';

/** Abilities that can be said by hand, in the order in which they are asked for. */
export const ABILITIES = ['vision', 'documents', 'audio', 'tools', 'reasoning', 'hostedSearch'] as const;
export type Ability = (typeof ABILITIES)[number];

/** A choice that may also be left to what the service reports. */
export const REPORTED = ['reported', 'yes', 'no'] as const;
export type Reported = (typeof REPORTED)[number];

export const TEMPERATURE: NumberRange = { low: 0, high: 2, isWhole: false };
export const TOP_P: NumberRange = { low: 0, high: 1, isWhole: false };
export const TOKENS: NumberRange = { low: 1, high: Number.MAX_SAFE_INTEGER, isWhole: true };
// Names as HTTP allows them; a stray space or colon would be refused by the browser later, with less to say.
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

interface AccountFields {
  name: string;
  baseUrl: string;
  /** The key typed now; empty keeps the stored one. */
  key: string;
  removesKey: boolean;
  streaming: boolean;
  reasoning: ReasoningLevel;
  temperature: string;
  topP: string;
  maxTokens: string;
  headers: { readonly id: number; name: string; value: string }[];
  body: string;
  store: boolean;
  hostedSearch: boolean;
  overrides: { readonly id: number; modelId: string; contextTokens: string; abilities: Record<Ability, Reported> }[];
}

/** An account while it is edited: each field as the text that stands in it, checked all the time. */
export class AccountForm {
  readonly #account: Account;
  #fields: AccountFields;
  #nextId = 1;

  constructor(account: Account) {
    this.#account = account;
    this.#fields = $state({
      name: account.name,
      baseUrl: account.baseUrl,
      key: '',
      removesKey: false,
      streaming: account.streaming,
      reasoning: account.reasoning,
      temperature: textOf(account.sampling.temperature),
      topP: textOf(account.sampling.topP),
      maxTokens: textOf(account.sampling.maxTokens),
      headers: account.headers.map((header) => ({ id: this.#nextId++, ...header })),
      body: Object.keys(account.body).length === 0 ? '' : JSON.stringify(account.body, null, 2),
      store: account.store ?? false,
      hostedSearch: account.hostedSearch ?? false,
      overrides: Object.entries(account.overrides).map(([modelId, override]) => ({
        id: this.#nextId++,
        modelId,
        contextTokens: textOf(override.contextTokens ?? undefined),
        abilities: abilitiesOf(override),
      })),
    });
  }

  /** Bound to the fields of the page. */
  get fields(): AccountFields {
    return this.#fields;
  }

  /** Id of the protocol; it does not change. */
  get provider(): string {
    return this.#account.provider;
  }

  get isAddressValid(): boolean {
    return isBaseUrl(this.#fields.baseUrl);
  }

  get body(): BodyResult {
    return parseBody(this.#fields.body);
  }

  /** Whether an account can be made of it. */
  get isValid(): boolean {
    const { name, temperature, topP, maxTokens, headers, overrides } = this.#fields;
    return (
      name.trim() !== '' &&
      this.isAddressValid &&
      this.body.type === 'body' &&
      isNumber(temperature, TEMPERATURE) &&
      isNumber(topP, TOP_P) &&
      isNumber(maxTokens, TOKENS) &&
      headers.every((header) => isHeaderName(header.name)) &&
      overrides.every((override) => isNumber(override.contextTokens, TOKENS))
    );
  }

  /** What to do with the stored key: a text replaces it, null removes it, undefined leaves it. */
  get keyChange(): string | null | undefined {
    const key = this.#fields.key.trim();
    if (key !== '') return key;
    return this.#fields.removesKey ? null : undefined;
  }

  addHeader(): void {
    this.#fields.headers.push({ id: this.#nextId++, name: '', value: '' });
  }

  removeHeader(id: number): void {
    this.#fields.headers = this.#fields.headers.filter((header) => header.id !== id);
  }

  addOverride(): void {
    this.#fields.overrides.push({ id: this.#nextId++, modelId: '', contextTokens: '', abilities: abilitiesOf({}) });
  }

  removeOverride(id: number): void {
    this.#fields.overrides = this.#fields.overrides.filter((override) => override.id !== id);
  }

  /** The account as the fields say it; null while one of them can't be taken. Rows without a name are left out. */
  toAccount(): Account | null {
    const body = this.body;
    if (!this.isValid || body.type !== 'body') return null;
    const fields = this.#fields;
    const keyChange = this.keyChange;
    return {
      id: this.#account.id,
      provider: this.#account.provider,
      preset: this.#account.preset,
      name: fields.name.trim(),
      baseUrl: fields.baseUrl.trim(),
      hasKey: keyChange === undefined ? this.#account.hasKey : keyChange !== null,
      streaming: fields.streaming,
      reasoning: fields.reasoning,
      sampling: samplingOf(fields),
      headers: fields.headers.filter(({ name }) => name.trim() !== '').map(({ name, value }) => ({ name: name.trim(), value })),
      body: body.body,
      // Off is what absence says: an account that never had the choice stays as it was.
      ...(fields.store ? { store: true } : {}),
      ...(fields.hostedSearch ? { hostedSearch: true } : {}),
      overrides: overridesOf(fields.overrides),
    };
  }
}

/** Whether a field is empty or holds a number of the range. */
export function isNumber(text: string, range: NumberRange): boolean {
  return parseNumber(text, range) !== null;
}

/** Whether a header can be called so; an empty row is not sent and therefore fine. */
export function isHeaderName(name: string): boolean {
  return name.trim() === '' || HEADER_NAME.test(name.trim());
}

function samplingOf(fields: AccountFields): Sampling {
  const temperature = parseNumber(fields.temperature, TEMPERATURE) ?? undefined;
  const topP = parseNumber(fields.topP, TOP_P) ?? undefined;
  const maxTokens = parseNumber(fields.maxTokens, TOKENS) ?? undefined;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

function overridesOf(rows: AccountFields['overrides']): Account['overrides'] {
  const entries = rows
    .filter(({ modelId }) => modelId.trim() !== '')
    .map(({ modelId, contextTokens, abilities }): [string, ModelOverride] => {
      const tokens = parseNumber(contextTokens, TOKENS) ?? undefined;
      const said = ABILITIES.filter((ability) => abilities[ability] !== 'reported').map((ability): [Ability, boolean] => [
        ability,
        abilities[ability] === 'yes',
      ]);
      const override: ModelOverride = Object.fromEntries(said);
      return [modelId.trim(), { ...override, ...(tokens === undefined ? {} : { contextTokens: tokens }) }];
    });
  return Object.fromEntries(entries.filter(([, override]) => Object.keys(override).length > 0));
}

function abilitiesOf(override: ModelOverride): Record<Ability, Reported> {
  const { vision, documents, audio, tools, reasoning, hostedSearch } = override;
  return {
    vision: toReported(vision),
    documents: toReported(documents),
    audio: toReported(audio),
    tools: toReported(tools),
    reasoning: toReported(reasoning),
    hostedSearch: toReported(hostedSearch),
  };
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function toReported(value: boolean | undefined): Reported {
  if (value === undefined) return 'reported';
  return value ? 'yes' : 'no';
}
