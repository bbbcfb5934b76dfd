import type { GenericSchema } from 'valibot';
import type { ModelCapabilities } from '../core/account';
import type { Json, JsonObject } from '../core/errors';
import type { MediaPart, Part, ToolFailure } from '../core/node';
import type { PictureShape } from '../core/picture';
import type { ChatControls, Question, ToolApproval, ToolGroup } from '../core/tool';
import type { JackdawDatabase } from '../storage/db';

/** What is known of a turn when its tools are chosen: the same in every step of it. */
export interface TurnFacts {
  readonly controls: ChatControls;
  readonly capabilities: ModelCapabilities;
  readonly conversationId: string;
  readonly assistantId: string;
  /** Some output of this branch was too long for the model and is kept. */
  readonly hasStoredOutputs: boolean;
  /** Some file stands in this branch that could be shown. */
  readonly hasFiles: boolean;
  /** The provider of this turn can make pictures. */
  readonly makesImages: boolean;
}

/** A call's surroundings. */
export interface ToolContext {
  readonly facts: TurnFacts;
  /** Fires when the user stops the run. What a tool awaits has to end then. */
  readonly signal: AbortSignal;
  readonly database: JackdawDatabase;
  readonly callId: string;
  /** Names of all tools of this step, sorted. */
  readonly toolNames: readonly string[];
  /** Parts of the branch before this answer, oldest first. */
  readonly before: readonly Part[];
  /** Parts of this answer up to this call, without it. */
  readonly answer: readonly Part[];
  /** Epoch ms. */
  now(): number;
  /** IANA name, for example `Europe/Berlin`. */
  readonly timeZone: string;
  newId(): string;
  /** Says what is being done, in the model's language; the newest word is shown while the tool runs. */
  report(progress: string): void;
  /** Makes one picture with the turn's provider. Throws provider codes. */
  makeImage(prompt: string, shape: PictureShape): Promise<{ readonly mimeType: string; readonly base64: string }>;
}

/** What a tool gives back. */
export interface ToolOutcome {
  /** What the model reads; a text that is too long is stored and cut by the runner. */
  readonly text: string;
  /** Files it made or shows; their bytes are stored already. */
  readonly media?: readonly Omit<MediaPart, 'type' | 'step'>[];
  /** What its card is drawn from; never sent. */
  readonly data?: Json;
  /** It did not work, for this reason; `text` tells the model why and what to do instead. */
  readonly failure?: ToolFailure;
}

/** A tool of the app. Arguments have been checked against `parameters` before `execute` is called. */
export interface Tool<Args = never> {
  /** As the model calls it: `^[a-z][a-z0-9_]{0,63}$`. */
  readonly name: string;
  readonly group: ToolGroup;
  readonly approval: ToolApproval;
  readonly isAgentTool: boolean;
  /** Text for the model. */
  readonly description: string;
  /** Closed: built with `strictObject`, so that an unknown argument is named and refused. */
  readonly parameters: GenericSchema<unknown, Args>;
  /** A sentence for the system message while the tool is there: how to use it well. */
  readonly rule?: string;
  available(facts: TurnFacts): boolean;
  /**
   * Of a tool that asks: what it asks, or null where that can't be put to the user. Then it is executed instead, and says why.
   */
  questions?(args: Args): readonly Question[] | null;
  /** Never writes to the conversation. Throws AbortError once the signal fires; any other error becomes a failed result. */
  execute(args: Args, context: ToolContext): Promise<ToolOutcome>;
}

/** A tool as the loop knows it, wherever it comes from. */
export interface AnyTool extends Omit<Tool, 'parameters' | 'execute' | 'questions'> {
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
  /** Throws `ArgumentsError` for arguments that don't fit. */
  check(args: unknown): void;
  /** What it asks the user; null where it asks nothing, or can't. */
  questions?(args: unknown): readonly Question[] | null;
  /** Checks the arguments and runs the tool. Throws `ArgumentsError`, AbortError once the signal fires, and whatever the tool throws. */
  call(args: unknown, context: ToolContext): Promise<ToolOutcome>;
}
