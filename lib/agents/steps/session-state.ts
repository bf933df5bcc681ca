import { randomUUID } from "node:crypto";
import { lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** The modes of a session: run everything, ask before every step, or run only what reads. */
export const SessionMode = z.enum(["auto", "ask", "read-only"]);
export type SessionMode = z.infer<typeof SessionMode>;

/**
 * The stored record of a step. `status` is `running` from the start of its tool call to its end, so that a step whose agent died
 * is known. `output` is what clients were shown, shortened to its last 8 KB; `note` the text shown beside it.
 */
export const StepRecord = z.object({
  toolCallId: z.string(),
  title: z.string(),
  thought: z.string(),
  toolName: z.string(),
  toolKind: z.enum(["execute", "edit"]),
  rawInput: z.record(z.string(), z.string()),
  status: z.enum(["running", "completed", "failed"]),
  note: z.string().nullable(),
  output: z.record(z.string(), z.unknown()).nullable(),
});
export type StepRecord = z.infer<typeof StepRecord>;

/** One turn: the prompt's text, the thought before its first step, its plan, its steps, its closing message. */
export const TurnRecord = z.object({
  prompt: z.string(),
  opening: z.string(),
  plan: z.array(z.object({ content: z.string(), status: z.enum(["pending", "in_progress", "completed"]) })),
  steps: z.array(StepRecord),
  message: z.string().nullable(),
});
export type TurnRecord = z.infer<typeof TurnRecord>;

/** A session as it is kept on disk. */
export const SessionState = z.object({
  version: z.literal(1),
  sessionId: z.uuid(),
  cwd: z.string(),
  mode: SessionMode,
  /** `all`: a person has allowed all further steps of the session. */
  permissions: z.object({ all: z.boolean() }).default({ all: false }),
  turns: z.array(TurnRecord),
});
export type SessionState = z.infer<typeof SessionState>;

/** A new session without a turn. Its id is a secret: anyone who has it can load the session. */
export function newSessionState(cwd: string): SessionState {
  return { version: 1, sessionId: randomUUID(), cwd, mode: "auto", permissions: { all: false }, turns: [] };
}

/** The folder where sessions are kept: one JSON file each, mode 0600, in a folder of mode 0700. */
export type SessionFolder = {
  /** Writes a session, atomically: a reader sees the state before or after, never half of it. */
  save: (state: SessionState) => Promise<void>;
  /** The session, or null if there is none with that id or its file is not readable as one. */
  find: (sessionId: string) => Promise<SessionState | null>;
};

/**
 * The folder's sessions. The first save throws if the folder belongs to another user: in a shared /tmp anyone could have made it.
 */
export function openSessionFolder(folder: string): SessionFolder {
  return {
    async save(state) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const there = await lstat(folder);
      if (!there.isDirectory() || there.uid !== process.getuid?.()) {
        throw new Error(`${folder} is not a folder of this user, so no session is kept there`);
      }
      const file = join(folder, `${state.sessionId}.json`);
      const draft = `${file}.${randomUUID()}`;
      try {
        await writeFile(draft, JSON.stringify(state), { mode: 0o600, flag: "wx" });
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async find(sessionId) {
      // The id comes from outside and becomes a file name.
      if (!z.uuid().safeParse(sessionId).success) return null;
      const text = await readFile(join(folder, `${sessionId}.json`), "utf8").catch(() => null);
      if (text === null) return null;
      try {
        return SessionState.parse(JSON.parse(text));
      } catch {
        return null;
      }
    },
  };
}
