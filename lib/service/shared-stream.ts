import { isEnd } from "#lib/contract/runs/run-status.ts";
import { follow } from "#lib/tail/follow.ts";
import { endId, lastSeen } from "./last-event-id.ts";
import { EventStream, NoContent, type StreamEvent } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";
import { presentSharedEntry } from "./shared-entry.ts";
import { addressOf } from "./shared-logs.ts";
import {
  boundsOf,
  findShare,
  isFull,
  openShare,
  presentSharedProgress,
  presentSharedRun,
  type SharedPart,
  valuesOf,
} from "./shared-part.ts";
import { whileAllowed } from "./while-allowed.ts";

type Query = { after?: number | undefined; clip?: number | undefined };

/** Follows the shared run live, continuing after the last event the client saw; cut off when the link stops working. */
export async function streamSharedLogs(
  context: ServiceContext,
  { params, query }: { params: { share_token: string }; query: Query },
): Promise<EventStream | NoContent> {
  const part = await openShare(context, params.share_token);
  const seen = lastSeen(context.lastEventId);
  const isOver = isEnd(part.run.status) || isFull(part);
  if (seen?.hasEnded && isOver && seen.seq >= part.last) return new NoContent();
  const after = Math.max(seen?.seq ?? query.after ?? 0, part.first - 1);
  const following = { after, clip: query.clip ?? null };
  // A client whose stream ends because another value is to be masked connects again.
  const isShared = async () =>
    (await findShare(context, params.share_token)) !== null &&
    (await valuesOf(context, part.run)).version === part.share.values.version;
  const { events, cutOff } = whileAllowed(isShared, context.signal, (signal) =>
    sharedEvents(context, params.share_token, part, { ...following, signal }),
  );
  return new EventStream(events, cutOff);
}

type Following = { after: number; clip: number | null };

async function* sharedEvents(
  context: ServiceContext,
  token: string,
  { share, access, run, last }: SharedPart,
  { after, clip, signal }: Following & { signal: AbortSignal },
): AsyncGenerator<StreamEvent> {
  let shown = run;
  const runText = () => {
    const part = { share, run: shown, access, ...boundsOf(share, shown.totalLogs) };
    return JSON.stringify(presentSharedRun(part, addressOf(context, token)));
  };
  const lastShared = share.toSeq ?? Number.POSITIVE_INFINITY;
  if (isFull({ share, last }) && after >= lastShared) {
    yield { event: "run", id: null, data: runText() };
    yield { event: "end", id: endId(last), data: runText() };
    return;
  }
  // A client may name an entry that does not exist yet: the run is followed from its present end, so that `reached` is known.
  let reached = Math.min(after, run.totalLogs);
  for await (const event of follow(context, access, run.id, { after: reached, signal })) {
    switch (event.kind) {
      case "entry":
        reached = event.seq;
        if (reached > after) yield { event: "entry", id: reached, data: presentSharedEntry(event.body, share, clip) };
        if (reached < lastShared) break;
        // Later entries are not shared.
        shown = (await context.store.runs.find(access, run.id)) ?? shown;
        yield { event: "end", id: endId(reached), data: runText() };
        return;
      case "run":
        shown = event.run;
        yield { event: "run", id: null, data: runText() };
        break;
      case "end":
        shown = event.run;
        yield { event: "end", id: endId(boundsOf(share, shown.totalLogs).last), data: runText() };
        break;
      case "progress": {
        // Progress is that of the entry to come. It was read after the entries, so others may have been appended meanwhile.
        const total = share.toSeq === null ? reached : (await context.store.runs.find(access, run.id))?.totalLogs;
        if (total === undefined) return;
        if (reached + 1 < share.fromSeq || total >= lastShared) break;
        yield { event: "progress", id: null, data: JSON.stringify(presentSharedProgress(event.progress, share)) };
        break;
      }
    }
  }
}
