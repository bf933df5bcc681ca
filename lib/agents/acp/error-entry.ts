import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import type { Diagnostics, Ended } from "./connection.ts";
import { lineBytesMax } from "./stdio-messages.ts";
import { storableJson, storableText } from "./storable.ts";

/** The observation of an ERROR entry. `code` is a word by the driver or the agent's own number. */
export type RecordedError = { code: string | number; message: string; data?: unknown };

const charactersMax = 65_536;

/** The ERROR entry; `data` may be null. */
export function errorEntry({ code, message, data }: RecordedError, now: Date): NewEntry {
  return newEntry("ERROR", now.toISOString(), {
    observation: {
      code,
      message: storableText(message.slice(0, charactersMax)),
      data: data === undefined ? null : storableJson(data, charactersMax).value,
    },
  });
}

/** The error for an agent that has exited unexpectedly, with its last output. `during` completes "exited …". */
export function exitError(ended: Ended, diagnostics: Diagnostics, during: string): RecordedError {
  const data = { exit_code: ended.code, signal: ended.signal, ...diagnostics };
  if (ended.tooLong) {
    const message = `The agent sent a message larger than ${lineBytesMax / 1024 / 1024} MB, the limit.`;
    return { code: "message_too_large", message, data };
  }
  const how =
    ended.code !== null
      ? `exit code ${ended.code}`
      : ended.signal !== null
        ? `signal ${ended.signal}`
        : "it closed its output";
  const recentText = (diagnostics.stderr || (diagnostics.stdout_noise.at(-1) ?? ""))
    .split("\n")
    .at(-1)
    ?.trim()
    .slice(0, 500);
  const lastLine = recentText ? ` Last output: ${recentText}` : "";
  return { code: "agent_exited", message: `The agent exited ${during} (${how}).${lastLine}`, data };
}
