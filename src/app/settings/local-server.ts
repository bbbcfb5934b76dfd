import type { Account } from '../../core/account';
import type { ErrorCode } from '../../core/errors';

/** Servers that people run themselves and that must be told which pages may ask them. */
export type LocalServer = 'ollama' | 'lm-studio' | 'llama-cpp' | 'vllm' | 'localai';

/** Where a command is to be entered; `setting` is no command but a switch in the server's own window. */
export type CommandPlace = 'shell' | 'macos' | 'windows' | 'linux' | 'setting';

export interface ServerCommand {
  readonly place: CommandPlace;
  /** The exact line to copy; null for `setting`. */
  readonly line: string | null;
}

// Default ports, for accounts that were not made from the server's own preset.
const PORTS: Readonly<Record<string, LocalServer>> = { '11434': 'ollama', '1234': 'lm-studio', '8080': 'llama-cpp', '8000': 'vllm' };
const SERVERS: readonly LocalServer[] = ['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'localai'];

/** Which of these servers an account talks to: by its preset, else by the port of an address on this machine. */
export function localServerOf(account: Pick<Account, 'preset' | 'baseUrl'>): LocalServer | null {
  const byPreset = SERVERS.find((server) => server.replaceAll('-', '') === account.preset.replaceAll(/[^a-z]/g, ''));
  if (byPreset !== undefined) return byPreset;
  return isThisMachine(account.baseUrl) ? (PORTS[URL.parse(account.baseUrl)?.port ?? ''] ?? null) : null;
}

/** Whether an address leads to the reader's own machine. */
export function isThisMachine(address: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(address)?.hostname ?? '');
}

/** What to enter so that `server` runs and lets `origin` in; the fitting place for `platform` comes first. Empty where nothing is known to help. */
export function commandsFor(server: LocalServer, code: ErrorCode, origin: string, platform: CommandPlace): readonly ServerCommand[] {
  if (code !== 'origin-blocked' && code !== 'server-unreachable') return [];
  const start: ServerCommand = { place: 'shell', line: startLine(server, origin) };
  if (code === 'server-unreachable') return [start];
  if (server === 'lm-studio') return [{ place: 'setting', line: null }, start];
  if (server !== 'ollama') return [start];
  // Ollama mostly runs as a service, which reads its settings elsewhere.
  const commands = [...ollamaService(origin), start];
  return [...commands.filter(({ place }) => place === platform), ...commands.filter(({ place }) => place !== platform)];
}

/** The reader's system as `navigator` tells it. */
export function platformOf(description: string): CommandPlace {
  if (/mac|iphone|ipad/i.test(description)) return 'macos';
  if (/win/i.test(description)) return 'windows';
  if (/linux|x11|cros/i.test(description)) return 'linux';
  return 'shell';
}

function startLine(server: LocalServer, origin: string): string {
  switch (server) {
    case 'ollama':
      return `OLLAMA_ORIGINS="${origin}" ollama serve`;
    case 'lm-studio':
      return 'lms server start --cors';
    case 'llama-cpp':
      return `llama-server -m model.gguf --cors-origins ${origin}`;
    case 'vllm':
      return `vllm serve MODEL --allowed-origins '["${origin}"]'`;
    case 'localai':
      return `CORS=true CORS_ALLOW_ORIGINS=${origin} local-ai run`;
  }
}

function ollamaService(origin: string): readonly ServerCommand[] {
  const folder = '/etc/systemd/system/ollama.service.d';
  return [
    { place: 'macos', line: `launchctl setenv OLLAMA_ORIGINS "${origin}"` },
    { place: 'windows', line: `[Environment]::SetEnvironmentVariable("OLLAMA_ORIGINS", "${origin}", "User")` },
    {
      place: 'linux',
      line: `sudo mkdir -p ${folder} && printf '[Service]\\nEnvironment="OLLAMA_ORIGINS=${origin}"\\n' | sudo tee ${folder}/jackdaw.conf && sudo systemctl daemon-reload && sudo systemctl restart ollama`,
    },
  ];
}
