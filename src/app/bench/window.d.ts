/** What the measuring page puts into the window before the app's scripts run. */
interface BenchContent {
  title(conversation: number): string;
  message(conversation: number, index: number): { role: 'user' | 'assistant'; text: string };
}

/** The functions by which the measuring harness drives the app. */
interface BenchFunctions {
  configure(account: { baseUrl: string; apiKey: string; model: string }): Promise<void>;
  send(text: string): Promise<void>;
  /** `branchPoints` is the app's own: so many answers have an alternative. */
  seed(size: { conversations: number; messagesPerConversation: number; branchPoints?: number }): Promise<string[]>;
  openConversation(id: string): Promise<void>;
}

/** The page that the app's figures are compared with. */
interface BenchFloor {
  draw(text: string): void;
  pace(text: string, tokensPerSecond: number): Promise<void>;
}

interface Window {
  benchContent?: BenchContent;
  __bench?: BenchFunctions;
  __floor?: BenchFloor;
}
