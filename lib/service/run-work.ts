import { ApiError, notFound } from "#lib/contract/error.ts";
import type { DiffQuery, WorkFile, WorkFileQuery } from "#lib/contract/runs/work.ts";
import { maskDiff, withoutBinaryContents } from "#lib/host/binary-contents.ts";
import { PlainText, Tagged } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";
import { valuesOf } from "./shared-part.ts";

type OfRun = { params: { agent_run_id: number } };

/** Longer files are not sent. */
const fileBytesMax = 5 * 1024 * 1024;

/** The run's unified diff, complete as stored or since a turn; empty if nothing changed. 409 if a turn's state is not known. */
export async function getDiff(
  context: OrganizationContext,
  { params, query }: OfRun & { query: DiffQuery },
): Promise<PlainText> {
  const diff = await findDiff(context, params.agent_run_id, query.since_turn ?? 0);
  return new PlainText(query.binary ? diff : withoutBinaryContents(diff));
}

async function findDiff(context: OrganizationContext, runId: number, sinceTurn: number): Promise<Uint8Array> {
  if (sinceTurn === 0) {
    const diff = await context.store.runs.findDiff(context.access, runId);
    if (diff === null) throw notFound("Agent run");
    return diff;
  }
  const run = await findRun(context, runId);
  const from = await commitAt(context, runId, sinceTurn);
  const to = await commitAt(context, runId, null);
  if (from === to) return new Uint8Array();
  const { signal, keptWork } = context;
  const base = run.changes?.base_commit ?? null;
  const { diff } = await keptWork
    .compare({ runId, repositoryId: run.repositoryId, from, to, base }, signal)
    .catch(refuse);
  return maskDiff(await valuesOf(context, run), diff);
}

/** A file of the run's work. 404 for a path without one, 409 if a turn's state is not known. */
export async function getWorkFile(
  context: OrganizationContext,
  { params, query }: OfRun & { query: WorkFileQuery },
): Promise<Tagged> {
  const run = await findRun(context, params.agent_run_id);
  const commit = await commitAt(context, run.id, query.turn ?? null);
  if (commit === null) throw notFound("File");
  const asked = { runId: run.id, repositoryId: run.repositoryId, commit, path: query.path, bytesMax: fileBytesMax };
  const file = await context.keptWork.readFile(asked, context.signal).catch(refuse);
  if (file === null) throw notFound("File");
  const content = file.content === null ? null : (await valuesOf(context, run)).bytes(file.content);
  return new Tagged({ path: query.path, commit, bytes: file.bytes, ...written(content) } satisfies WorkFile);
}

/** The commit of the run's work when a turn had ended, or now; null for an empty tree. */
async function commitAt(context: OrganizationContext, runId: number, turn: number | null): Promise<string | null> {
  const kept = await context.store.runs.findWorkCommit(context.access, runId, turn);
  if (kept === null) throw notFound("Turn");
  if (kept.state === "known") return kept.commit;
  throw new ApiError(
    "conflict",
    kept.state === "unended"
      ? `Turn ${turn} has not ended.`
      : "This work was saved by an older version of Errand, which did not record the changes of each turn.",
  );
}

function refuse(error: unknown): never {
  const isGone = error instanceof Error && "code" in error && error.code === "commit_not_found";
  throw isGone ? new ApiError("conflict", error.message) : error;
}

function written(content: Uint8Array | null): Pick<WorkFile, "encoding" | "content"> {
  if (content === null) return { encoding: null, content: null };
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const text = bytes.toString("utf8");
  // A text with NUL cannot be shown on a page.
  const isText = !text.includes("\0") && Buffer.from(text, "utf8").equals(bytes);
  return isText ? { encoding: "utf-8", content: text } : { encoding: "base64", content: bytes.toString("base64") };
}
