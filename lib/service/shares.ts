import { notFound } from "#lib/contract/error.ts";
import { type Paging, pageOf, rowsOf } from "#lib/contract/page.ts";
import type { CreatedShare, CreateShare, Share } from "#lib/contract/runs/share.ts";
import type { ShareRow } from "#lib/store/runs/shares.ts";
import { recordAct } from "./audit.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";
import { addressOf } from "./shared-logs.ts";

type OfRun = { params: { agent_run_id: number } };
const dayMs = 86_400_000;

/** Creates a link to a run; only this response contains its secret. */
export async function createShare(
  context: OrganizationContext,
  { params, body }: OfRun & { body: CreateShare },
): Promise<CreatedShare> {
  const { store, access, secrets } = context;
  const { secret, hash, hint } = secrets.mintShare();
  const wanted = {
    runId: params.agent_run_id,
    fromSeq: body.from_seq,
    toSeq: body.to_seq,
    showsOutputs: body.outputs,
    expiresAt: body.days === null ? null : new Date(context.now().getTime() + body.days * dayMs).toISOString(),
    hash,
    hint,
  };
  const share = await store.transaction(async (inside) => {
    const made = await inside.shares.create(access, wanted);
    if (made === null) throw notFound("Agent run");
    await recordAct(inside, context, {
      act: "share.created",
      object: shareObject(made),
      details: {
        agent_run_id: made.runId,
        from_seq: made.fromSeq,
        to_seq: made.toSeq,
        outputs: made.showsOutputs,
        expires_at: made.expiresAt,
      },
    });
    return made;
  });
  return { ...presentShare(share), token: secret, url: addressOf(context, secret) };
}

/** The links to a run, newest first. */
export async function listShares(context: OrganizationContext, { params, query }: OfRun & { query: Paging }) {
  const run = await findRun(context, params.agent_run_id);
  const rows = rowsOf(query);
  const { items, total } = await context.store.shares.list(context.access, run.id, rows);
  return pageOf(items.map(presentShare), total, rows);
}

/** Revokes a link at once. */
export async function deleteShare(
  context: OrganizationContext,
  { params }: { params: { share_id: number } },
): Promise<Share> {
  return await context.store.transaction(async (store) => {
    const share = await store.shares.revoke(context.access, params.share_id);
    if (share === null) throw notFound("Share link");
    const details = { agent_run_id: share.runId };
    await recordAct(store, context, { act: "share.withdrawn", object: shareObject(share), details });
    return presentShare(share);
  });
}

const shareObject = ({ id, hint }: ShareRow) => ({ type: "share", id, name: `…${hint}` });

function presentShare(share: ShareRow): Share {
  return {
    id: share.id,
    run_id: share.runId,
    hint: share.hint,
    from_seq: share.fromSeq,
    to_seq: share.toSeq,
    outputs: share.showsOutputs,
    created_at: share.createdAt,
    expires_at: share.expiresAt,
    last_viewed_at: share.lastViewedAt,
    views: share.views,
    user_id: share.userId,
    user_name: share.userName,
  };
}
