import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { AgentProfile, UserFile } from "#lib/agents/agent.ts";
import type { SignIn } from "#lib/contract/runs/agent.ts";
import { lenient } from "./message.ts";
import { storableText } from "./storable.ts";

/** The notification of claude and codex: kind `none`, or how it is signed in, in its own words. */
const StatusUpdate = z.looseObject({
  authStatus: z.looseObject({
    kind: z.string(),
    label: lenient(z.string()),
    detail: lenient(z.string()),
  }),
});

/** The state reported by `_auth/status_update`. */
export type ReportedStatus = { isSignedIn: boolean; words: string | null };

/** Reads a notification's params; null if they have another shape. */
export function reportedStatus(params: unknown): ReportedStatus | null {
  const status = StatusUpdate.safeParse(params).data?.authStatus;
  if (status === undefined) return null;
  const words = [status.label, status.detail].filter(Boolean).join(", ");
  return { isSignedIn: status.kind !== "none", words: words === "" ? null : storableText(words.slice(0, 200)) };
}

/** True for the answer of an agent that requires a sign-in first: the protocol's own code, or an endpoint's 401. */
export function isSignInError(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  const text = `${error.message} ${JSON.stringify(error.data ?? "")}`;
  return [-32_000, 401].includes(error.code)
    ? /auth|sign|log ?in|key|credential|401/i.test(text) || error.code === 401
    : /authentication[_ ](required|error)|invalid[_ ](x-)?api[_ ]key|\b401\b/i.test(text);
}

/**
 * The state of an agent's sign-in, from the first of these: a refused session, a key of its profile in its environment (with which
 * it works even if it reports no sign-in), its own report, a sign-in file.
 */
export async function signInOf(
  profile: AgentProfile,
  environment: Record<string, string>,
  { refused, reported }: { refused: string | null; reported: ReportedStatus | null },
): Promise<SignIn> {
  const hint = signInHint(profile);
  if (refused !== null) return { state: "needed", detail: storableText(refused.slice(0, 200)), hint };
  const key = profile.keys.find(({ variable }) => environment[variable]);
  if (key !== undefined)
    return { state: "signed_in", detail: `Uses ${key.variable}, which Errand passes to it`, hint: null };
  if (reported !== null) {
    return {
      state: reported.isSignedIn ? "signed_in" : "needed",
      detail: reported.words,
      hint: reported.isSignedIn ? null : hint,
    };
  }
  for (const file of profile.signIn) {
    if (await isThere(pathOf(file, environment)))
      return { state: "signed_in", detail: `Uses ${shown(file)}`, hint: null };
  }
  return { state: "unknown", detail: null, hint };
}

/** How to sign in: with the agent's own command, or with a key that Errand keeps. */
export function signInHint({ signInHint: own, keys }: Pick<AgentProfile, "signInHint" | "keys">): string | null {
  const [key] = keys;
  const stored = key === undefined ? "" : `Or save ${key.variable} in Settings → Isolation.`;
  return [own, stored].filter(Boolean).join(" ") || null;
}

function pathOf({ file, folder, variable }: UserFile, environment: Record<string, string>): string {
  const named = variable === null ? undefined : environment[variable];
  return named ? join(named, file) : join(environment.HOME || homedir(), folder, file);
}

function shown({ file, folder }: UserFile): string {
  return `~/${folder === "" ? "" : `${folder}/`}${file}`;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
