import { createHmac, randomUUID } from "node:crypto";
import { mintSignInCode } from "#lib/auth/sign-in-code.ts";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { sealContextOf } from "#lib/host/open-integration.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { webhookSealContext } from "#lib/webhooks/message-body.ts";
import { type ApiUnderTest, type Asked, memberPassword } from "./api-under-test.ts";
import { endedRun, share } from "./shared-run.fixture.ts";

/** Secret for signing events. */
export const hookSecret = "whispered";

/** The header with GitHub's signature of a body. */
export function signatureOf(body: string | Buffer): Record<string, string> {
  return { "x-hub-signature-256": `sha256=${createHmac("sha256", hookSecret).update(body).digest("hex")}` };
}

/** State of the first organization for requests to act on. Each call creates it again. */
export class PreparedState {
  readonly #api: ApiUnderTest;
  #repositories = 0;

  #newcomers = 0;

  constructor(api: ApiUnderTest) {
    this.#api = api;
  }

  /** A run finished by an engine, with that many entries. No other run is queued then. */
  async endedRun(entries: number): Promise<number> {
    await this.#finishQueue();
    return await endedRun(this.#api, entries);
  }

  /** A link to a finished run with three entries. */
  async share(): Promise<{ id: number; token: string }> {
    return await share(this.#api, await this.endedRun(3));
  }

  /** An agent with a sign-in of its own, which nobody has asked for yet. */
  async agentToSignIn(): Promise<string> {
    const { store } = this.#api;
    const method = { id: "account", name: "Sign in with your account", description: null };
    const others = (await store.agents.list()).filter(({ id }) => id !== "oauth");
    await store.agents.replaceAll([...others, listedAgent("oauth", { sign_in_methods: [method] })]);
    for (let one = await store.agentSignIns.claim(); one !== null; one = await store.agentSignIns.claim()) {
      await store.agentSignIns.end(one.agentId, "nobody asked for it");
    }
    return "oauth";
  }

  /** A run executed by another system. */
  async externalRun(): Promise<number> {
    return (await this.#api.store.runs.create(this.#api.home, plainRun("Elsewhere", { agent: externalAgent }))).id;
  }

  /** A session of Claude Code of the first organization's owner. */
  async claudeSession(): Promise<string> {
    const sessionId = randomUUID();
    const run = plainRun("In a terminal", { agent: externalAgent, sourceType: "LOCAL" });
    await this.#api.store.claudeSessions.open(this.#api.home, sessionId, run);
    return sessionId;
  }

  /** The run of a session of Claude Code, with one record of telemetry. */
  async telemetryRun(): Promise<number> {
    const { store, home } = this.#api;
    const sessionId = await this.claudeSession();
    const record = {
      name: "api_request",
      atMs: 1,
      atNs: null,
      startedMs: null,
      sessionId,
      attributes: { model: "m" },
      value: null,
    };
    await store.claudeTelemetry.keep(home, [{ ...record, kind: "event", isCumulative: false }]);
    return (await store.claudeSessions.find(home, sessionId))?.runId ?? 0;
  }

  /** A run that was cancelled before its start. */
  async heldRun(): Promise<number> {
    const { id } = await this.#api.run();
    await this.#api.store.runs.cancel(this.#api.home, id);
    return id;
  }

  /** A run in its first turn that asks the question `q`. */
  async askingRun(): Promise<number> {
    await this.#finishQueue();
    const { run, lease } = await this.#api.liveRun();
    await this.#api.store.queue.setQuestion(lease, {
      id: "q",
      title: "Write a file",
      tool_name: null,
      tool_input: null,
      options: [{ id: "allow", name: "Allow", kind: "allow_once" }],
      asked_at: new Date().toISOString(),
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    });
    return run.id;
  }

  /** The repository of a source, which {@link ApiUnderTest} pretends to inspect. */
  async repository(source = "/srv/errand"): Promise<number> {
    const names = { name: "errand", fullName: "o/errand", description: null, defaultBranch: null };
    return (await this.#api.store.repositories.add(this.#api.home, { ...names, source })).repository.id;
  }

  /** A repository without a live run. */
  idleRepository(): Promise<number> {
    this.#repositories += 1;
    return this.repository(`/srv/errand-${this.#repositories}`);
  }

  /** Nobody listens there: a call to it fails at once. */
  readonly hostAddress = "http://127.0.0.1:9";

  /** Type of a connected integration. */
  async integration(): Promise<"forgejo"> {
    const { store, home, runtime } = this.#api;
    const place = { organizationId: home.organizationId, type: "forgejo" } as const;
    const secretSealed = runtime.seal.seal(JSON.stringify({ token: "kept" }), sealContextOf(place, "secret"));
    const hookSecretSealed = runtime.seal.seal(hookSecret, sealContextOf(place, "hook"));
    await store.integrations.put(home, "forgejo", { baseUrl: this.hostAddress, secretSealed, hookSecretSealed });
    return "forgejo";
  }

  /** An integration with a linked person; their id there. */
  async linked(): Promise<{ type: "slack"; externalId: string }> {
    const { store, home } = this.#api;
    const { id } = await store.integrations.put(home, "slack", {});
    await store.links.put(home, id, "U1", home.userId);
    return { type: "slack", externalId: "U1" };
  }

  /** A ping of a connected GitHub, signed. */
  async event(): Promise<{ path: string; asked: Asked }> {
    const { store, home, runtime } = this.#api;
    const place = { organizationId: home.organizationId, type: "github" } as const;
    const hookSecretSealed = runtime.seal.seal(hookSecret, sealContextOf(place, "hook"));
    const { id } = await store.integrations.put(home, "github", { hookSecretSealed });
    const body = { zen: "Keep it logically awesome." };
    return {
      path: `/v1/hooks/${id}`,
      asked: { body, headers: { "x-github-event": "ping", ...signatureOf(JSON.stringify(body)) } },
    };
  }

  /** The organization's default webhook, or another one. */
  async webhook(which: "default" | "new" = "default"): Promise<number> {
    const { home, store } = this.#api;
    const webhook = {
      url: "https://hooks.example/errand",
      key: "key",
      secret: this.#api.runtime.seal.seal("secret", webhookSealContext(home.organizationId, "key")),
      events: ["run.finished" as const],
      enabled: true,
      previousSecret: null,
      previousUntil: null,
    };
    const { id } = await store.webhooks.save(home, webhook, which);
    return id;
  }

  /** The webhook event for the end of a run. */
  async delivery(): Promise<number> {
    const { home, store } = this.#api;
    for (const { id } of await store.webhooks.list(home)) await store.webhooks.remove(home, id);
    await this.webhook();
    await store.runs.cancel(home, (await this.#api.run()).id);
    const { items } = await store.deliveries.list(home, {}, { skip: 0, limit: 1 });
    return items[0]?.id ?? 0;
  }

  /** Slack, connected with its signing secret; or not connected. */
  async slack(connected = true): Promise<void> {
    const { store, home, runtime } = this.#api;
    await store.integrations.remove(home, "slack");
    if (!connected) return;
    const place = { organizationId: home.organizationId, type: "slack" } as const;
    const hookSecretSealed = runtime.seal.seal(hookSecret, sealContextOf(place, "hook"));
    await store.integrations.put(home, "slack", { hookSecretSealed });
  }

  /** A code that signs the first organization's owner in, once. */
  async signInCode(): Promise<string> {
    const { code, hash } = mintSignInCode();
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    await this.#api.store.sessions.createLink({ hash, userId: this.#api.home.userId, expiresAt });
    return code;
  }

  /** An open invitation of the first organization. */
  async invitation(): Promise<{ id: number; code: string }> {
    const asked = { token: await this.#api.token(), body: { note: "Grace" } };
    const { json } = await this.#api.asked("POST", "/v1/organizations/1/invitations", asked);
    return { id: Number(json.id), code: String(json.code) };
  }

  /** Details a new person enters. */
  newcomer(): { full_name: string; email: string; password: string } {
    this.#newcomers += 1;
    return {
      full_name: "Grace Hopper",
      email: `grace-${this.#newcomers}-${Math.random()}@errand.test`,
      password: memberPassword,
    };
  }

  /** The code of a link that resets a new member's password. */
  async resetCode(): Promise<string> {
    const { userId } = await this.#api.member("member");
    const path = `/v1/organizations/1/users/${userId}/reset`;
    return String((await this.#api.asked("POST", path, { token: await this.#api.token() })).json.code);
  }

  /** The first organization's owner, its only one at that time. */
  async onlyOwner(): Promise<number> {
    const { home, store } = this.#api;
    const { items } = await store.organizations.listUsers(home, { skip: 0, limit: 100 });
    const others = items.filter(({ id, role }) => id !== home.userId && role === "owner");
    for (const { id } of others) await this.#api.changeRole(id, "admin");
    return home.userId;
  }

  /** Headers of a new member's browser. */
  async browser(): Promise<{ token: undefined; headers: Record<string, string> }> {
    return { token: undefined, headers: (await this.#api.member("member")).headers };
  }

  /** A token that belonged to an owner until just now. */
  async revokedToken(): Promise<string> {
    const { home, store } = this.#api;
    const token = await this.#api.token();
    const { items } = await store.tokens.list(home, {}, { skip: 0, limit: 1 });
    await store.tokens.revoke(home, items[0]?.id ?? 0, {});
    return token;
  }

  async #finishQueue(): Promise<void> {
    for (;;) {
      const claimed = await this.#api.store.queue.claim("engine", 60_000);
      if (claimed === null) return;
      await this.#api.finish(claimed.lease);
    }
  }
}
