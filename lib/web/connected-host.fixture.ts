import assert from "node:assert/strict";
import { hashSecret } from "#lib/auth/secret.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import { Conversations } from "#lib/engine/conversations/conversations.ts";
import { CodeHost, hostHookSecret, hostToken } from "#lib/host/code-host.fixture.ts";
import type { HostKind } from "#lib/host/host.ts";
import { maskText } from "#lib/service/mask-secrets.ts";
import { defaultsForRun } from "#lib/service/run-defaults.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const O = "/v1/organizations/1";

/** The API, a fake code host connected to it, and the part of the engine that receives events and replies. */
export class ConnectedHost {
  readonly api: ApiUnderTest;
  readonly host: CodeHost;
  readonly conversations: Conversations;
  hookPath: string;
  readonly logged: object[] = [];
  readonly #clock: { aheadMs: number };

  private constructor(
    api: ApiUnderTest,
    { host, hookPath, clock }: { host: CodeHost; hookPath: string; clock: { aheadMs: number } },
  ) {
    this.api = api;
    this.host = host;
    this.hookPath = hookPath;
    this.#clock = clock;
    this.conversations = this.engine();
  }

  static async open(kind: HostKind): Promise<ConnectedHost> {
    const clock = { aheadMs: 0 };
    const now = () => new Date(Date.now() + clock.aheadMs);
    const api = await ApiUnderTest.open({ now, storeNow: now });
    const host = await CodeHost.open(kind);
    return new ConnectedHost(api, { host, hookPath: await connect(api, host), clock });
  }

  /** Disconnects the host, and connects it again with the same secrets. */
  async reconnect(): Promise<void> {
    const path = `${O}/integrations/${this.host.kind}`;
    assert.equal((await this.api.ask("DELETE", path, { token: await this.api.token() })).status, 200);
    this.hookPath = await connect(this.api, this.host);
  }

  /** The same part of another engine. */
  engine(): Conversations {
    const log = (fields: object, message: string) => void this.logged.push({ ...fields, message });
    return new Conversations({
      variablesOf: () => [],
      store: this.api.store,
      seal: this.api.runtime.seal,
      send: this.api.runtime.outbound.send,
      origin: async () => "http://errand.test",
      chooseForRun: (organizationId, prompt) => defaultsForRun(organizationId, prompt, this.api.store),
      mask: (text) => maskText(text),
      hashSecret,
      now: () => new Date(Date.now() + this.#clock.aheadMs),
      logger: { info: log, warn: log, error: log },
    });
  }

  advance(ms: number): void {
    this.#clock.aheadMs += ms;
  }

  /** A repository of the organization with this remote on the host. */
  async addRepository(fullName = "team/app", host = this.host): Promise<number> {
    const source = `${host.baseUrl}/${fullName}.git`;
    const names = { name: "app", fullName, description: null, defaultBranch: "main" };
    return (await this.api.store.repositories.add(this.api.home, { ...names, source })).repository.id;
  }

  /** Sends an event as the host does. */
  send({ headers, body }: { headers: Record<string, string>; body: string }) {
    return this.api.ask("POST", this.hookPath, { headers, body });
  }

  /** Somebody writes a comment that arrives here and is processed. */
  async comment(login: string, body: string, more: Partial<Parameters<CodeHost["commentEvent"]>[0]> = {}) {
    const answered = await this.send(this.host.commentEvent({ login, body, ...more }));
    assert.equal(answered.status, 202, answered.text);
    await this.conversations.processDue();
  }

  /** Ends the oldest queued run's turn like this, as an engine would. */
  async endTurn(
    status: Extract<RunStatus, "completed" | "failed" | "cancelled">,
    result: string | null,
  ): Promise<number> {
    const claimed = await this.api.store.queue.claim("engine", 60_000);
    assert.ok(claimed !== null, "a run is queued");
    const observation = { code: "broken", message: "The agent did not start." };
    const blank = { thought: null, tool_name: null, tool_input: null, tool_output: null };
    const created_at = new Date().toISOString();
    const entries = status === "failed" ? [{ ...blank, created_at, message_type: "ERROR" as const, observation }] : [];
    await this.api.store.queue.finishTurn(claimed.lease, { status, result, summary: null, entries });
    return claimed.run.id;
  }

  /** Every run, oldest first. */
  async runs() {
    const { items } = await this.api.store.runs.list(this.api.home, {}, { skip: 0, limit: 100 });
    return items.reverse();
  }

  async close(): Promise<void> {
    await this.conversations.stop();
    await this.host.close();
    await this.api.close();
  }
}

/** Path that the host's events go to. */
async function connect(api: ApiUnderTest, host: CodeHost): Promise<string> {
  const body = { base_url: host.baseUrl, token: hostToken, hook_secret: hostHookSecret };
  const { json, text } = await api.ask("PUT", `${O}/integrations/${host.kind}`, { token: await api.token(), body });
  assert.equal(json.active, true, text);
  return new URL((json.metadata as { hook_url: string }).hook_url).pathname;
}
