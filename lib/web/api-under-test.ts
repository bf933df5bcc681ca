import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { passwordsAt } from "#lib/auth/password.ts";
import { mintSession } from "#lib/auth/session-cookie.ts";
import { mintToken } from "#lib/auth/token-secret.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { Role } from "#lib/contract/people/organization.ts";
import type { Scope } from "#lib/contract/people/role-scopes.ts";
import { scopesOf } from "#lib/contract/people/role-scopes.ts";
import type { StatusStyle } from "#lib/contract/people/token.ts";
import { type RateQuotas, type RateSettings, rateQuotasDefault } from "#lib/contract/rate-limits.ts";
import { runLimitsDefault } from "#lib/contract/runs/run-limits.ts";
import { branchPusher, mirrorReader, workReader } from "#lib/git/mirrors.ts";
import { type HttpRuntime, setRuntime } from "#lib/http/runtime-access.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { changesNoter } from "#lib/runtime/note-changes.ts";
import { openFindThreads } from "#lib/search/find-threads.ts";
import { failWithoutIndex } from "#lib/search/index-failure.fixture.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { openAnalysisThread } from "#lib/service/analysis-threads.ts";
import { createCaches } from "#lib/service/caches.ts";
import { describeApi } from "#lib/service/description.ts";
import type { RepositoryReport } from "#lib/service/service-context.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Lease, RunRow, Store } from "#lib/store/store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { ChangeSignal } from "#lib/tail/change-signal.ts";
import { type Api, dispatchOver, openApi } from "./api.ts";
import { type Front, type FrontSettings, startFront } from "./front.ts";
import { pretendedOidc } from "./pretended-oidc.fixture.ts";

/** The folder `app` of this checkout. */
export const appDir = resolve(import.meta.dirname, "../../app");

/** Options of a test request. `body` is sent as JSON unless it is text or bytes. */
export type Asked = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };
export type Answered = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

/** The password of every {@link ApiUnderTest.member}. */
export const memberPassword = "correct horse battery";

/** Limits that no test reaches by accident; tests of the limits themselves open the API with {@link rateSettingsDefault}. */
export const wideRates: RateSettings = {
  quotas: Object.fromEntries(Object.keys(rateQuotasDefault).map((name) => [name, 100_000])) as RateQuotas,
  sessionFactor: 1,
};

/** The whole API over a real store in a temporary folder, with two organizations. */
export class ApiUnderTest {
  readonly api: Api;
  readonly store: Store;
  readonly runtime: HttpRuntime;
  readonly logged: object[];
  readonly folder: string;
  /** Folder of the mirrors; sources are outside it. */
  readonly dataDir: string;
  /** The first organization and its owner; the other has its own owner. */
  readonly home = { organizationId: 1, userId: 1 };
  readonly other = { organizationId: 2, userId: 2 };

  #members = 0;

  private constructor(api: Api, runtime: HttpRuntime, folder: string, logged: object[]) {
    this.api = api;
    this.store = runtime.store;
    this.runtime = runtime;
    this.folder = folder;
    this.dataDir = join(folder, "data");
    this.logged = logged;
  }

  /** `now` is the clock of the API and its limits, `storeNow` that of the store. */
  static async open({
    rates = wideRates,
    queueMax = 0,
    now = () => new Date(),
    storeNow = () => new Date(),
    pagesMax = null,
  }: {
    rates?: RateSettings;
    queueMax?: number;
    now?: () => Date;
    storeNow?: () => Date;
    pagesMax?: number | null;
  } = {}): Promise<ApiUnderTest> {
    const folder = await makeStoreFolder("errand-api-");
    const store = await openStore({ file: join(folder, "errand.db"), queueMax, now: storeNow, pagesMax });
    await store.organizations.ensureFirst({ organization: "Home", fullName: "Owner", email: null });
    const logged: object[] = [];
    const log = (fields: object) => void logged.push(fields);
    const runtime = runtimeUnderTest(store, folder, { rates, now, log });
    setRuntime(runtime);
    const api = new ApiUnderTest(await openApi(appDir), runtime, folder, logged);
    await api.#addOtherOrganization(new Date(storeNow().getTime() + 60_000).toISOString());
    return api;
  }

  /** The first owner creates a second organization, invites a stranger to own it, and is removed from it by them. */
  async #addOtherOrganization(expiresAt: string): Promise<void> {
    const { secret, hash } = mintSession();
    await this.store.sessions.create({ hash, userId: this.home.userId, expiresAt });
    const founder = { headers: { cookie: `errand_session=${secret}`, "sec-fetch-site": "same-origin" } };
    const made = await this.asked("POST", "/v1/organizations", { ...founder, body: { name: "Other" } });
    const path = `/v1/organizations/${made.json.id}`;
    const { json } = await this.asked("POST", `${path}/invitations`, { ...founder, body: { role: "owner" } });
    const stranger = { full_name: "Stranger", email: "other-owner@errand.test", password: memberPassword };
    const accepted = await this.asked("POST", `/v1/invitations/${json.code}/accept`, { body: stranger });
    await this.asked("DELETE", `${path}/users/${this.home.userId}`, {
      headers: { ...founder.headers, cookie: String(accepted.headers.get("set-cookie")).split(";")[0] ?? "" },
    });
    for (const userId of [this.home.userId, this.other.userId]) {
      for (const session of await this.store.sessions.list(userId)) await this.store.sessions.delete(session.hash);
    }
  }

  /** Serves the API by HTTP on a free port of 127.0.0.1, without pages. The caller closes it, before the API. */
  async serve(settings: Partial<FrontSettings> = {}): Promise<Front> {
    return await startFront({
      host: "127.0.0.1",
      port: 0,
      next: null,
      dev: false,
      appDir,
      allowedHosts: [],
      publicUrl: null,
      logger: this.runtime.logger,
      ...settings,
    });
  }

  async close(): Promise<void> {
    setRuntime(null);
    await this.runtime.scanner.close();
    await this.runtime.analyst.close();
    await this.store.close();
    await rm(this.folder, { recursive: true });
  }

  /** A new token, by default of the first organization's owner. */
  async token(
    role: Role = "owner",
    more: {
      access?: { organizationId: number; userId: number };
      scopes?: Scope[];
      style?: StatusStyle;
      ends?: string;
    } = {},
  ): Promise<string> {
    const { secret, hash, hint } = mintToken();
    await this.store.tokens.create(more.access ?? this.home, {
      name: `a ${role}`,
      role,
      scopes: more.scopes ?? scopesOf(role),
      statusStyle: more.style ?? "errand",
      hint,
      expiresAt: more.ends ?? null,
      hash,
    });
    return secret;
  }

  /**
   * A new member of the first organization, by invitation, with a session of their own; `headers` are those of their browser on
   * the dashboard. `expiresAt`: expiry of another session, which is returned instead of the first.
   */
  async member(role: Role, expiresAt: string | null = null) {
    this.#members += 1;
    const email = `${role}-${this.#members}@errand.test`;
    const { json } = await this.asked("POST", "/v1/organizations/1/invitations", {
      token: await this.token(),
      body: { role },
    });
    const accepted = await this.asked("POST", `/v1/invitations/${json.code}/accept`, {
      body: { full_name: `A ${role}`, email, password: memberPassword },
    });
    const userId = Number(Object(accepted.json.user).id);
    let cookie = String(accepted.headers.get("set-cookie")).split(";")[0] ?? "";
    if (expiresAt !== null) {
      const { secret, hash } = mintSession();
      await this.store.sessions.create({ hash, userId, expiresAt });
      cookie = `errand_session=${secret}`;
    }
    return {
      userId,
      email,
      access: { organizationId: 1, userId },
      headers: { cookie, "sec-fetch-site": "same-origin" },
    };
  }

  /** Gives a member of the first organization another role; null ends the membership. */
  async changeRole(userId: number, role: Role | null): Promise<void> {
    const path = `/v1/organizations/1/users/${userId}`;
    const token = await this.token();
    await this.asked(role === null ? "DELETE" : "PATCH", path, { token, body: role === null ? undefined : { role } });
  }

  /** {@link ask}, for requests that must succeed. */
  async asked(method: string, path: string, asked: Asked = {}): Promise<Answered> {
    const answered = await this.ask(method, path, asked);
    if (answered.status !== 200) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
    return answered;
  }

  async ask(method: string, path: string, asked: Asked = {}): Promise<Answered> {
    const response = await dispatchOver(this.api)(this.request(method, path, asked));
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  request(method: string, path: string, { token, body, headers }: Asked = {}): Request {
    const sent = new Headers(headers);
    if (token !== undefined) sent.set("authorization", `Bearer ${token}`);
    const raw = typeof body === "string" || body instanceof Uint8Array;
    if (body !== undefined && !raw && !sent.has("content-type")) sent.set("content-type", "application/json");
    const init: RequestInit = { method, headers: sent };
    if (body !== undefined) init.body = raw ? Buffer.from(body) : JSON.stringify(body);
    return new Request(`http://errand.test${path}`, init);
  }

  /** A queued run, by default of the first organization's owner. */
  async run(more: { access?: { organizationId: number; userId: number }; prompt?: string } = {}): Promise<RunRow> {
    return await this.store.runs.create(more.access ?? this.home, plainRun(more.prompt ?? "Look around"));
  }

  /** A run claimed by an engine, with that many entries. No other run may be queued. */
  async liveRun(entries: number | NewEntry[] = 0): Promise<{ run: RunRow; lease: Lease }> {
    const run = await this.run();
    const claimed = await this.store.queue.claim("engine", 60_000);
    if (claimed?.run.id !== run.id) throw new Error("another run was queued");
    const written = typeof entries === "number" ? someEntries(entries) : entries;
    if (written.length > 0) await this.store.queue.append(claimed.lease, written);
    return { run, lease: claimed.lease };
  }

  async finish(lease: Lease): Promise<void> {
    await this.store.queue.finishTurn(lease, { status: "completed", result: "done", summary: "done", entries: [] });
  }
}

/** Dependencies of the endpoints, over the store `errand.db` of a folder. */
export function runtimeUnderTest(
  store: Store,
  folder: string,
  { rates, now, log }: { rates: RateSettings; now: () => Date; log: (fields: object) => void },
): HttpRuntime {
  const storeFile = join(folder, "errand.db");
  const environment = Object.fromEntries(Object.entries(process.env).map(([name, value = ""]) => [name, value]));
  const mirrors = { dataDir: join(folder, "data"), environment, outboundAllow: allowedOf("127.0.0.0/8") };
  const seal = createSeal({ key: null, file: join(folder, "secret.key") });
  return {
    store,
    analyst: openAnalysisThread({ storeFile }),
    scanner: openFindThreads({ storeFile, indexFile: join(folder, "search.db") }, failWithoutIndex),
    caches: createCaches(store),
    changes: new ChangeSignal(store),
    keysUnderWay: new Set(),
    ...{ publicUrl: "http://errand.test", now, seal },
    limits: new RateLimits(new MemoryRateLog(() => now().getTime()), rates),
    logger: { error: log, warn: log, info: log },
    inspectRepository: inspectPretended,
    readMirror: mirrorReader(mirrors),
    keptWork: workReader(mirrors),
    pushBranch: branchPusher(mirrors),
    noteChanges: changesNoter(mirrors, store, seal),
    outbound: createOutbound(mirrors.outboundAllow),
    oidc: pretendedOidc,
    describe: describeApi(rates, runLimitsDefault),
    passwords: passwordsAt({ N: 2 ** 10, r: 8, p: 1 }),
  };
}

/** Entries that contain their number. */
export function someEntries(count: number, text = (index: number) => `thought ${index + 1}`): NewEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    created_at: "2026-01-31T23:59:59.000Z",
    message_type: "PLAN_EVALUATION" as const,
    thought: text(index),
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation: null,
  }));
}

/** Every source has two branches, unless its name contains "broken" (an error) or "empty" (none). */
async function inspectPretended(source: string): Promise<RepositoryReport> {
  if (source.includes("broken")) {
    throw Object.assign(new Error(`"${source}" is not a git repository.`), { code: "source_not_repository" });
  }
  const empty = source.includes("empty");
  return empty
    ? { defaultBranch: null, branches: [], empty }
    : { defaultBranch: "main", branches: ["main", "next"], empty };
}
