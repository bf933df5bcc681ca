import { previewSeqsMax } from "#lib/contract/bounds.ts";
import type { PreviewShareQuery, SharePreview } from "#lib/contract/runs/share.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";
import { readSharedEntry, type Shows } from "./shared-entry.ts";
import { boundsOf, valuesOf } from "./shared-part.ts";

/** How long one call looks for secrets; other requests are served in between. */
const lookMs = 500;
const batchEntries = 20;
const batchBytesMax = 1024 * 1024;

/** Preview of what a link with these settings would show of the run now. */
export async function previewShare(
  context: OrganizationContext,
  { params, query }: { params: { agent_run_id: number }; query: PreviewShareQuery },
): Promise<SharePreview> {
  const { store, access } = context;
  const run = await findRun(context, params.agent_run_id);
  const { first, last, count } = boundsOf({ fromSeq: query.from_seq, toSeq: query.to_seq ?? null }, run.totalLogs);
  const parts = await store.entries.outline(access, run.id, { first, last, buckets: 1 });
  const preview: SharePreview = {
    logs: count,
    tool_calls: parts.reduce((sum, { counts }) => sum + (counts.ACTION ?? 0), 0),
    checked_to_seq: Math.max(query.after_seq, first - 1),
    complete: false,
    masked_secrets: 0,
    masked_logs: 0,
    masked_seqs: [],
  };
  const shows = { showsOutputs: query.outputs, values: await valuesOf(context, run) };
  const until = performance.now() + lookMs;
  while (preview.checked_to_seq < last && performance.now() < until && !context.signal.aborted) {
    const room = Math.min(batchEntries, last - preview.checked_to_seq);
    const batch = await store.entries.readAfter(access, run.id, preview.checked_to_seq, room, batchBytesMax);
    if (batch.length === 0) break;
    for (const { seq, body } of batch) {
      note(preview, seq, body, shows);
      await new Promise(setImmediate);
    }
  }
  preview.complete = preview.checked_to_seq >= last;
  return preview;
}

function note(preview: SharePreview, seq: number, body: string, shows: Shows): void {
  const count = { masked: 0 };
  readSharedEntry(body, shows, null, count);
  preview.checked_to_seq = seq;
  if (count.masked === 0) return;
  preview.masked_secrets += count.masked;
  preview.masked_logs += 1;
  if (preview.masked_seqs.length < previewSeqsMax) preview.masked_seqs.push(seq);
}
