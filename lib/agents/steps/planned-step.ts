import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { cutText } from "#lib/cut-text.ts";
import type { LeftProcesses } from "./process-group.ts";

/** What a running step may use: the session's folder, the environment of its children, the turn's abort signal. */
export type StepControl = {
  cwd: string;
  env: NodeJS.Dict<string>;
  signal: AbortSignal;
  /** Shows text in the step's tool call while it runs; each call replaces the text before. */
  onProgress: (text: string) => void;
  /** Takes what a step leaves running in the background; without it, that ends with the step. */
  left?: LeftProcesses | undefined;
};

/** The raw output of a step as clients see it. `exit_code` and `signal` are absent if no process was run. */
export type StepOutput = {
  exit_code?: number | null;
  signal?: string | null;
  output: string;
  truncated: boolean;
  dropped_bytes?: number;
  duration_ms: number;
};

/**
 * How a step ended. `failure` is null when it succeeded, else a phrase that completes "Step 2 of 3 failed: …".
 * `command` names what was run, for the error's data.
 */
export type StepResult = {
  failure: string | null;
  cancelled: boolean;
  command: string;
  output: StepOutput;
  content: ToolCallContent[];
  locations: ToolCallLocation[];
};

/** A step ready to run. `title` is one short line; `thought` says why it is run; `rawInput` is what clients are shown. */
export type PlannedStep = {
  title: string;
  thought: string;
  toolName: "shell" | "apply_patch" | "write_file";
  toolKind: ToolKind;
  rawInput: Record<string, string>;
  run: (control: StepControl) => Promise<StepResult>;
};

/** A text content block of a tool call. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

/** Text as one line of Markdown code, at most 100 characters, whatever backticks it contains. */
export function inlineCode(text: string): string {
  const line = cutText(text.replace(/\s+/g, " ").trim(), 100, "…");
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}
