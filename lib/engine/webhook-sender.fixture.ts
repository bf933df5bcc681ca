import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { WebhookEvent } from "#lib/contract/integrations/webhook.ts";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound, type Outbound } from "#lib/outbound/outbound.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { presentRun } from "#lib/service/present-run.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { webhookSealContext } from "#lib/webhooks/message-body.ts";
import { type SenderParts, WebhookSender } from "./webhook-sender.ts";

export const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
export const everyEvent: WebhookEvent[] = ["run.started", "run.waiting", "run.finished"];
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A real store with an organization, on a clock that stands still until it is moved, and senders over it. */
export class SenderUnderTest {
  readonly store: Store;
  readonly access: { organizationId: number; userId: number };
  readonly seal;
  readonly #clock: { nowMs: number };

  private constructor(
    store: Store,
    access: { organizationId: number; userId: number },
    folder: string,
    clock: { nowMs: number },
  ) {
    this.#clock = clock;
    this.store = store;
    this.access = access;
    this.seal = createSeal({ key: null, file: join(folder, "secret.key") });
  }

  static async open(t: TestContext): Promise<SenderUnderTest> {
    const clock = { nowMs: Date.now() };
    const folder = await makeStoreFolder("errand-sender-");
    const store = await openStore({ file: join(folder, "errand.db"), now: () => new Date(clock.nowMs) });
    t.after(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });
    const access = await store.organizations.ensureFirst({ organization: "Home", fullName: "Ada", email: null });
    return new SenderUnderTest(store, access, folder, clock);
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  set nowMs(ms: number) {
    this.#clock.nowMs = ms;
  }

  sender(t: TestContext, changes: Partial<SenderParts> = {}): WebhookSender {
    const sender = new WebhookSender({
      store: this.store,
      outbound: this.outbound(),
      seal: this.seal,
      describeRun: async (run) => this.describe(run),
      variablesOf: () => [],
      engineId: "engine",
      logger: silent,
      now: () => this.nowMs,
      random: () => 0.5,
      ...changes,
    });
    t.after(() => sender.stop());
    return sender;
  }

  /** Sends to this machine; nothing takes longer than `timeoutMs`. */
  outbound(timeoutMs = 15_000): Outbound {
    const outbound = createOutbound(allowedOf("127.0.0.0/8"));
    return { ...outbound, send: (request) => outbound.send({ ...request, timeoutMs }) };
  }

  describe(run: RunRow) {
    return presentRun(run, { publicUrl: "http://errand.test", statusStyle: "errand" });
  }

  /** Saves the organization's webhook. */
  async webhook(url: string, more: { events?: WebhookEvent[]; secret?: string; previous?: string } = {}) {
    const { seal, access } = this;
    const sealed = (text: string) => seal.seal(text, webhookSealContext(access.organizationId, "key"));
    const previous = more.previous;
    await this.store.webhooks.save(access, {
      url,
      key: "key",
      secret: sealed(more.secret ?? secret),
      events: more.events ?? ["run.finished"],
      enabled: true,
      previousSecret: previous === undefined ? null : sealed(previous),
      previousUntil: previous === undefined ? null : new Date(this.nowMs + 60_000).toISOString(),
    });
  }

  /** A started external run; with `url` it has its own webhook. */
  async startRun(url?: string): Promise<number> {
    const webhooks =
      url === undefined
        ? []
        : [
            {
              url,
              key: "own",
              secret: this.seal.seal(secret, webhookSealContext(this.access.organizationId, "own")),
              events: everyEvent,
            },
          ];
    return (await this.store.runs.create(this.access, { ...plainRun("Look"), agent: "external", webhooks })).id;
  }

  async endRun(id: number): Promise<void> {
    await this.store.external.update(this.access, id, { status: "completed", result: "Done" });
  }

  /** An ended run. */
  async endedRun(): Promise<number> {
    const id = await this.startRun();
    await this.endRun(id);
    return id;
  }

  /** Every delivery, oldest first. */
  async deliveries() {
    const { items } = await this.store.deliveries.list(this.access, {}, { skip: 0, limit: 100 });
    return items.reverse();
  }
}
