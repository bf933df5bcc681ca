import { deliveryDays } from "#lib/contract/integrations/webhook.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { maskGiven } from "#lib/host/given-secrets.ts";
import type { Outbound } from "#lib/outbound/outbound.ts";
import { type Seal, SealError } from "#lib/secrets/seal.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import type { ClaimedDelivery, DeliveryReport } from "#lib/store/webhooks/delivery-store.ts";
import { webhookBody, webhookSealContext } from "#lib/webhooks/message-body.ts";
import { nextAttemptAt } from "#lib/webhooks/schedule.ts";
import { type SendOutcome, sendWebhookMessage, unreadableSecret } from "#lib/webhooks/send-message.ts";
import type { EngineLogger } from "./engine-parts.ts";
import type { PullParts } from "./pull-request/parts.ts";
import { secretsInVariables } from "./run-secrets.ts";
import { TaskQueue } from "./task-queue.ts";

/** Dependencies of the sender; clock and randomness are arguments for tests. */
export type SenderParts = Pick<PullParts, "variablesOf"> & {
  store: Pick<Store, "deliveries" | "version" | "agentKeys" | "mcpServers" | "runs" | "integrations">;
  outbound: Outbound;
  seal: Seal;
  /** The run as the API shows it. */
  describeRun(run: RunRow): Promise<Run>;
  engineId: string;
  logger: EngineLogger;
  now(): number;
  random(): number;
};

/** Simultaneous requests, in total and to one host: a hanging target delays only its own deliveries. */
const sentAtOnce = 32;
const sentToOneHost = 4;

/** Short, so that another engine soon sends what a killed one was sending. */
const leaseMs = 5000;
const renewMs = 1500;
const pollMs = 100;
const sweepMs = 3_600_000;
const dayMs = 24 * 3_600_000;

/**
 * Delivers webhook events from the store at least once, in order per run and webhook except that an event that keeps failing is
 * overtaken by later ones. If this process dies, another engine continues. Several engines share the work.
 */
export class WebhookSender extends TaskQueue<ClaimedDelivery> {
  readonly #parts: SenderParts;
  #renewedAt = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(parts: SenderParts) {
    super(parts, { trouble: "webhooks could not be sent; trying again", atOnce: sentAtOnce, pollMs });
    this.#parts = parts;
  }

  protected override async work(): Promise<void> {
    const { store, engineId } = this.#parts;
    const at = performance.now();
    if (at - this.#renewedAt > renewMs) {
      this.#renewedAt = at;
      const ids = [...this.atWork.keys()].map(({ id }) => id);
      await store.deliveries.renew(engineId, ids, leaseMs);
    }
    await super.work();
    if (at - this.#sweptAt > sweepMs) {
      this.#sweptAt = at;
      await this.#sweep();
    }
  }

  protected claim(): Promise<ClaimedDelivery | null> {
    const { store, engineId } = this.#parts;
    return store.deliveries.claim(engineId, leaseMs, this.#busyHosts());
  }

  #busyHosts(): string[] {
    const counts = new Map<string, number>();
    for (const { webhook } of this.atWork.keys()) counts.set(webhook.target, (counts.get(webhook.target) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= sentToOneHost).map(([host]) => host);
  }

  protected async take(claimed: ClaimedDelivery): Promise<void> {
    const { store, logger } = this.#parts;
    const facts = { delivery: claimed.id, run: claimed.run.id, event: claimed.type };
    try {
      const report = this.#reportOf(claimed, await this.#attempt(claimed));
      await store.deliveries.report(claimed, report);
      if (report.kind === "gone") logger.warn(facts, "a webhook answered 410 and was turned off");
      if (report.kind === "failed" && report.retryAt === null) logger.warn(facts, "a webhook delivery was abandoned");
    } catch (error) {
      // Whatever is not released is due again when its lease ends.
      if (this.signal.aborted) await store.deliveries.release(claimed).catch(() => undefined);
      else logger.error({ ...facts, err: error }, "a webhook delivery broke; its lease ends");
    }
  }

  async #attempt(claimed: ClaimedDelivery): Promise<SendOutcome> {
    const { store, seal, outbound, describeRun, variablesOf, now } = this.#parts;
    const { run, webhook, organizationId, messageId: id, type, createdAt: timestamp, late } = claimed;
    const about = { organizationId, repositoryId: run.repositoryId, runId: run.id };
    const given = await maskGiven({ store, seal }, about, variablesOf(run).flatMap(secretsInVariables));
    const body = webhookBody({ type, timestamp, data: given.json(await describeRun(run)) });
    let secrets: string[];
    try {
      secrets = webhook.secrets.map((sealed) => seal.unseal(sealed, webhookSealContext(organizationId, webhook.key)));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      return { kind: "failed", status: null, answer: null, error: unreadableSecret, retryAfterMs: null };
    }
    const message = { url: webhook.url, id, body, secrets, late };
    return await sendWebhookMessage(outbound, message, now(), this.signal);
  }

  #reportOf(claimed: ClaimedDelivery, { kind, retryAfterMs, ...came }: SendOutcome): DeliveryReport {
    if (kind !== "failed") return { kind, ...came };
    const tried = { firstMs: Date.parse(claimed.firstAttemptAt), failures: claimed.failures + 1, retryAfterMs };
    const at = nextAttemptAt(tried, this.#parts.now(), this.#parts.random);
    return { kind, ...came, retryAt: at === null ? null : new Date(at).toISOString() };
  }

  async #sweep(): Promise<void> {
    const { store, now } = this.#parts;
    const before = new Date(now() - deliveryDays * dayMs).toISOString();
    while (!this.signal.aborted && (await store.deliveries.sweep(before)) > 0);
  }
}
