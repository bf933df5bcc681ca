import { isFiltering } from "#lib/contract/logs/log-filter.ts";
import type { Outline, OutlineQuery } from "#lib/contract/logs/outline.ts";
import type { Timeline, TimelineQuery } from "#lib/contract/logs/timeline.ts";
import { findSharedSeqs } from "./find-seqs.ts";
import { maskText } from "./mask-secrets.ts";
import { findMatching } from "./matching-logs.ts";
import { filterIn, outlineOf } from "./outline.ts";
import type { ServiceContext } from "./service-context.ts";
import { hidesTool, sharedFilter } from "./shared-fields.ts";
import { isFull, isMaskedBy, openShare } from "./shared-part.ts";
import { timelineOf } from "./timeline.ts";

type OfShare = { params: { share_token: string } };

/** Outline of the part of a run that the link shows. */
export async function getSharedOutline(
  context: ServiceContext,
  { params, query }: OfShare & { query: OutlineQuery },
): Promise<Outline> {
  const part = await openShare(context, params.share_token);
  const { run, access, first, last } = part;
  const matching = isFiltering(query)
    ? await findMatching(
        context,
        access,
        run,
        sharedFilter(filterIn(query), isMaskedBy(part.share)),
        { first, last },
        findSharedSeqs(context, part),
      )
    : null;
  return await outlineOf(context.store, access, run, query, { first, last }, matching);
}

/** Timeline of the entries that the link shows. */
export async function getSharedTimeline(
  context: ServiceContext,
  { params, query }: OfShare & { query: TimelineQuery },
): Promise<Timeline> {
  const part = await openShare(context, params.share_token);
  const { share, run, access, first, last } = part;
  const isWhole = share.fromSeq === 1 && share.toSeq === null;
  const shown = isFull(part) ? { ...run, status: "completed" as const } : run;
  const timeline = await timelineOf(context, access, shown, query, isWhole ? {} : { entries: { first, last } });
  for (const span of timeline.spans ?? []) {
    if (hidesTool(span.message_type)) span.tool_name = null;
    if (span.tool_name !== null) span.tool_name = maskText(span.tool_name, undefined, share.values);
  }
  return timeline;
}
