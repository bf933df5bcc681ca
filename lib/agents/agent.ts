import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { Agent, Announced } from "#lib/contract/runs/agent.ts";
import type { AttachedFile } from "#lib/contract/runs/attachment.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { Progress } from "#lib/contract/runs/progress.ts";
import type { Question } from "#lib/contract/runs/question.ts";
import type { PermissionMode, Tokens } from "#lib/contract/runs/run.ts";
import type { EndStatus } from "#lib/contract/runs/run-status.ts";

/** A key that an agent reads from a variable, and how it is sent: behind the wall the proxy inserts it. */
export type KeyUse = {
  variable: string;
  /** `api.example.com` or `host:port`. */
  host: string;
  /** The header that holds the key. */
  header: string;
  /** The variable in which the agent looks for the service's address, and the path in that address, like `/v1`. */
  baseUrl: string;
  path: string;
  /**
   * For an agent that reads the address only from its settings: a variable with settings as a JSON object, in whose texts
   * `{address}` is replaced by the address. They are merged into the variable's value if it is set.
   */
  settings?: { variable: string; json: JsonObject };
};

/** A JSON object whose leaves are strings. */
export type JsonObject = { [name: string]: string | JsonObject };

/** How an agent is started. It is data, so that a new agent needs a new profile but no new code. */
export type AgentProfile = {
  id: string;
  title: string;
  /** The command and its arguments; looked up on PATH if it has no slash. */
  command: string[];
  env: Record<string, string>;
  hasModel: boolean;
  /** What a person can do to make it ready, shown if it is not. */
  installHint: string;
  /** The command that installs its newest version, and the oldest that is known to work; null: not known. */
  install: string | null;
  oldest: string | null;
  /** How to sign in to it, as a sentence; null: not known. */
  signInHint: string | null;
  models: string[];
  /** The method to pass to `authenticate` before a session opens, if the agent offers it; null: none. */
  authMethod: string | null;
  /** Session modes by permission mode, if the agent has its own modes for them. */
  modes: Partial<Record<PermissionMode, string>>;
  /** Permission modes in which its commands run in its own sandbox, which needs what the wall denies to every process. */
  sandboxedModes?: readonly PermissionMode[];
  /** Environment by permission mode, for agents that read their permissions from it. */
  modeEnv?: Partial<Record<PermissionMode, Record<string, string>>>;
  /** Names of variables of the service's environment that the agent may see (keys, addresses). Others are withheld. */
  passEnv: string[];
  /** The variable with the folder for this agent's sessions and settings, if each run has its own. */
  homeVariable: string | null;
  /**
   * How a message reaches it while it works, unless it announces support for `_session/steering`: `prompt`: it accepts a second
   * prompt during a turn; `asks`: it asks for messages between its steps; null: not at all.
   */
  steering: "prompt" | "asks" | null;
  /** Keys that Errand can keep for it, in order of precedence. */
  keys: KeyUse[];
  /** Hosts of its models and its sign-in, which it may always reach when hosts must be allowed. */
  hosts: string[];
  /** Sign-in files that it gets behind the wall if it has no key. */
  signIn: UserFile[];
  /** Settings files of the service's user that it gets behind the wall; its changes to them are not copied back. */
  settings: UserFile[];
  /** The isolation it requires; null: as the service decides. */
  isolation: Isolation | null;
  /** Absolute paths that it may read behind the wall, besides the system's and its program's. */
  readable: string[];
  /** MCP servers that it starts itself. Every ACP agent accepts these (https://agentclientprotocol.com, session/new). */
  mcpPrograms: AgentMcpProgram[];
};

/** A file of the service's user, in a folder below the home or in the one that a variable of the service names. */
export type UserFile = { file: string; folder: string; variable: string | null };

/** Time limits of one turn, in milliseconds. */
export type AgentLimits = {
  startMs: number;
  /** Without any message from the agent. */
  inactivityMs: number;
  /** Of the whole turn; waiting for a person does not count. */
  turnMs: number;
  /** For a person's answer; after that it counts as rejected. */
  questionMs: number;
  /** Between asking an agent to stop and ending it. */
  stopGraceMs: number;
};

/** The receiver of an agent's entries, progress and questions. Every call is awaited, in order. */
export type AgentHost = {
  /** Finished steps, to be written as log entries. */
  onEntries(entries: NewEntry[]): Promise<void>;
  /** Steps in flight; called at every change, the host throttles. */
  onProgress(read: () => Progress): void;
  /** Totals of the run so far, and the state in which the next attempt counts on from them. */
  onFigures(figures: { model?: string; tokens?: Tokens; costUsd?: number }, state: Record<string, unknown>): void;
  /** State for the next attempt; it contains secrets (session ids). */
  onState(state: Record<string, unknown>): Promise<void>;
  /** Called with what the agent announces when it opens its session and whenever that changes, and with the agent's version. */
  onAnnounced?(announced: Announced, version: string | null): void;
  /** Asks a person. Resolves with the option's id, or null for no answer in time or a cancelled run. */
  ask(question: Question): Promise<string | null>;
};

/** One turn's end. `entries` close the turn (FINAL_ANSWER or ERROR) and are written with the status. */
export type TurnEnd = {
  status: EndStatus;
  result: string | null;
  entries: NewEntry[];
};

/** `number` counts the turns of the run from 1, over all its attempts. */
export type TurnInput = {
  number: number;
  prompt: string;
  images: string[];
  /** Text files; left out: none. */
  attachments?: AttachedFile[];
  model: string | null;
  /**
   * Called when the message is in the log, before the agent gets it, to prepare the checkout. Resolves to a text for the agent
   * besides the prompt, or null. Its time does not count for the agent. If it throws, so does the turn.
   */
  prepare?: () => Promise<string | null>;
  /** Messages of people, for an agent that takes them while it works; left out: none. */
  messages?: TurnMessages;
};

/**
 * Messages of people during a turn. Whoever takes a message settles it, so that none is lost or given twice. A message that may
 * have reached the agent is left unsettled, so it is held when the turn ends.
 */
export type TurnMessages = {
  /** The agent takes messages from now on: `onMessage` is called whenever one may wait, until the turn's end. */
  listen(onMessage: () => void): void;
  /** The next message, which from now on nobody can edit or withdraw; null if none waits. */
  take(): Promise<TurnMessage | null>;
  /**
   * Settles a message: with the entries that record it if it reached the agent, or with null if it did not and becomes the next
   * turn.
   */
  settle(message: TurnMessage, entries: NewEntry[] | null): Promise<void>;
  /**
   * The agent has refused a message after it was settled as having reached it: `entries` say so. It becomes the next turn, or is
   * held if the agent may have worked on it.
   */
  refuse(message: TurnMessage, entries: NewEntry[], isHeld: boolean): Promise<void>;
};

/** A message that reaches an agent at its next step; `number` counts as if it were a turn. */
export type TurnMessage = Pick<TurnInput, "number" | "prompt" | "images" | "attachments">;

/**
 * A started agent with an open session. `prompt` runs one turn; `close` ends the process and all its descendants and
 * never throws. The signal cancels the turn: open tools are closed as entries and the end has status `cancelled`.
 */
export type AgentSession = {
  prompt(turn: TurnInput, signal: AbortSignal): Promise<TurnEnd>;
  close(): Promise<void>;
  /** The agent's process is gone. */
  readonly hasEnded: boolean;
  /** Stops all processes between two turns, see {@link ContainedProcess.freeze}; false if the agent has left the run's mode. */
  freeze(): Promise<boolean>;
  thaw(): Promise<void>;
};

/** A child process with its whole tree contained; given by the workspace. */
export type ContainedProcess = {
  stdin: import("node:stream").Writable;
  stdout: import("node:stream").Readable;
  stderr: import("node:stream").Readable;
  /** Resolves when the process has ended, with its exit code or signal. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Ends it and every descendant; resolves when none is left. */
  kill(): Promise<void>;
  /** Stops it and every descendant until {@link ContainedProcess.thaw}; if that cannot be guaranteed, lets them run on: false. */
  freeze?(): Promise<boolean>;
  thaw?(): Promise<void>;
};

/**
 * An MCP server, reached over streamable HTTP. The values of its headers are secrets. `isOfRun`: whoever started the run named it, so
 * it opens no host that is not allowed otherwise.
 */
export type AgentMcpServer = { name: string; url: string; headers: Record<string, string>; isOfRun?: true };

/** An MCP server that the agent starts itself, where it works, and reaches over stdio. The values of its variables are secrets. */
export type AgentMcpProgram = { name: string; command: [string, ...string[]]; env: Record<string, string> };

export type StartAgent = {
  profile: AgentProfile;
  /** The agent's folder as the agent sees it, and the same folder as the service sees it if that differs. */
  cwd: string;
  folder?: string;
  /** The data folder of this run's agent (sessions, settings), kept between turns. */
  agentHome: string;
  permissionMode: PermissionMode;
  /** The agent's own mode, instead of the profile's for the permission mode; null or left out: the profile's. */
  mode?: string | null;
  /** Commands that only read, so that the mode read-only allows them; none by default. */
  isReadingCommand?: (command: string) => boolean;
  /** Whether the mode read-only allows requests to the network; true by default. */
  mayFetch?: boolean;
  model: string | null;
  limits: AgentLimits;
  /** What {@link AgentHost.onState} was given by an earlier attempt; null on the first. */
  state: Record<string, unknown> | null;
  /** MCP servers for the agent, if it supports them. */
  mcpServers: (AgentMcpServer | AgentMcpProgram)[];
  /** A summary of the run so far, to seed a new session if the old one cannot be continued. */
  recap: () => Promise<string>;
  host: AgentHost;
  spawn: (command: string[], options: { cwd: string; env: Record<string, string> }) => Promise<ContainedProcess>;
  signal: AbortSignal;
};

/** An agent as it was found, without what the service decides about it. */
export type FoundAgent = Omit<Agent, "is_default" | "environment" | "isolation" | "isolation_reason" | "wall_problem">;

/** A way to drive agents. Starting fails with {@link AgentStartError}. */
export type AgentDriver = {
  start(options: StartAgent): Promise<AgentSession>;
  /**
   * Checks that the profile's command exists and answers within `startMs`, without a model call. If it has announced no commands
   * by then, `onLate` is given a promise of an answer that has them; null: they never came. Without it nobody waits for them.
   */
  probe(
    profile: AgentProfile,
    signal: AbortSignal,
    startMs: number,
    onLate?: (announced: Promise<Announced | null>) => void,
  ): Promise<FoundAgent>;
  /** Signs in by one of the agent's own methods. Resolves to null, or to why it is not signed in. */
  authenticate(profile: AgentProfile, methodId: string, signal: AbortSignal, limitMs: number): Promise<string | null>;
};

/** The agent did not start; `entry` says why, for the log. */
export class AgentStartError extends Error {
  readonly entry: NewEntry;

  constructor(message: string, entry: NewEntry) {
    super(message);
    this.name = "AgentStartError";
    this.entry = entry;
  }
}
