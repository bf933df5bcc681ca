// One function per status of an error, all over the same API, tokens and cookie. Apart, each would take
// them as parameters, and the table at the end, which shows that no status is left out, would be far from them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { errorsOf, namedInBody, refusesKey, takesBody } from "#lib/contract/openapi/openapi-errors.ts";
import { type AnyOperation, neededScope, organizationIn } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import { scopes } from "#lib/contract/people/role-scopes.ts";
import { rateQuotasDefault } from "#lib/contract/rate-limits.ts";
import { addressHeader } from "#lib/http/call.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { OidcError } from "#lib/oidc/provider.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Answered, ApiUnderTest, Asked } from "./api-under-test.ts";
import { locOf } from "./checked-answer.fixture.ts";
import { conflictingRequests } from "./conflicts.fixture.ts";
import type { Prepared } from "./good-requests.fixture.ts";
import { isUnsafe, namesIn, nobodys, partsOf, pathTo } from "./operation-path.fixture.ts";
import { holdRequest } from "./paused-request.fixture.ts";
import { PreparedState, signatureOf } from "./prepared-state.fixture.ts";
import { pretendedOidc } from "./pretended-oidc.fixture.ts";

/** A request that an operation must refuse: a description, and how to send it. */
export type Cell = { what: string; send: () => Promise<Answered> };

/**
 * Input for cells: an operation, a request that would succeed, and how to prepare another one. Refused requests may share the
 * first; one that succeeds needs its own.
 */
export type Subject = { operation: AnyOperation; good: Prepared; prepare: () => Promise<Prepared> };

type Cells = (subject: Subject) => Promise<Cell[]> | Cell[];

/** The same request for another organization. */
function aboutOrganization(operation: AnyOperation, { path, asked = {} }: Prepared, id: number): Prepared {
  const { params, query } = partsOf(operation, path);
  if (organizationIn(operation) === "body")
    return { path, asked: { ...asked, body: { ...Object(asked.body), org_id: id } } };
  if (organizationIn(operation) === "path")
    return { path: pathTo(operation.path, { ...params, org_id: id }) + query, asked };
  const changed = new URLSearchParams(query);
  changed.set("org_id", String(id));
  return { path: `${pathTo(operation.path, params)}?${changed}`, asked };
}

/** A request that differs in its path, or else in its body, and that the operation's schemas accept. */
function otherRequest(operation: AnyOperation, { path, asked }: Prepared): Prepared {
  const { params, query } = partsOf(operation, path);
  for (const name of namesIn(operation.path).filter((name) => name !== "org_id")) {
    const other = [nobodys, "linear", "slack"].find(
      (value) => String(value) !== String(params[name]) && operation.params.shape[name]?.safeParse(`${value}`).success,
    );
    if (other !== undefined) return { path: pathTo(operation.path, { ...params, [name]: other }) + query, asked };
  }
  for (const [name, value] of Object.entries(Object(asked?.body))) {
    const changed = typeof value === "object" ? { ...value, prompt: "Something else" } : `${value}x`;
    const body = { ...Object(asked?.body), [name]: changed };
    if (operation.body.safeParse(body).success) return { path, asked: { ...asked, body } };
  }
  return assert.fail(`no other request of ${operation.id} is known`);
}

/** Text that a parameter may refuse; most refuse one of these. */
/** Values of each kind: of every schema but the widest at least one is not. */
const unlikelyValues = [[[]], {}, "\u0000", 0.5, true, null];
const unlikelyTexts = ["-1", "none", "a\u0000b", "x".repeat(300)];

/** The request with the signature its body needs, unless it has a wrong one on purpose. */
function signed(asked: Asked): Asked {
  const { body, headers } = asked;
  if (body === undefined || headers?.["x-hub-signature-256"] === wrongSignature) return asked;
  const text = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return { ...asked, headers: { ...headers, ...signatureOf(text) } };
}

const wrongSignature = `sha256=${"0".repeat(64)}`;

/** Requests that are limited only by failed authentication, and fail at it. */
const failedSignIns: Record<string, { path?: string; asked: Asked }> = {
  signIn: { asked: { body: { code: "wrong" } } },
  getInvitation: { path: "/v1/invitations/wrong", asked: {} },
  getPasswordReset: { path: "/v1/resets/wrong", asked: {} },
  receiveEvent: { asked: { body: {}, headers: { "x-hub-signature-256": wrongSignature } } },
};

/** For each error status, requests that provoke it from an operation: none if the operation's own data rules it out. */
export async function provokedErrors(api: ApiUnderTest): Promise<Record<number, Cells>> {
  const conflicting = conflictingRequests(api);
  const [token, stranger] = [await api.token(), await api.token("owner", { access: api.other })];
  const revoked = await new PreparedState(api).revokedToken();
  const { cookie } = (await api.member("owner")).headers;
  const send = ({ id, method }: AnyOperation, path: string, asked: Asked = {}) =>
    api.ask(method, path, { token, ...(id === "receiveEvent" ? signed(asked) : asked) });
  const text = ({ asked }: Prepared) => JSON.stringify(asked?.body ?? {});
  const json = { "content-type": "application/json" };

  function invalid({ operation, good }: Subject): Cell[] {
    const { path, asked } = good;
    const { params, query } = partsOf(operation, path);
    const refused = (place: string, target: string, more?: Asked): Cell => ({
      what: `invalid ${place}`,
      send: async () => {
        const answered = await send(operation, target, { ...asked, ...more });
        const found = locOf(answered)?.join(".") ?? "";
        if (answered.status === 400) assert.ok(`${found}.`.startsWith(`${place}.`), `${found}, not ${place}`);
        return answered;
      },
    });
    const cells: Cell[] = [];
    for (const name of namesIn(operation.path)) {
      if (operation.params.shape[name]?.safeParse("x").success) continue;
      cells.push(refused(`path.${name}`, pathTo(operation.path, { ...params, [name]: "x" }) + query));
    }
    const inQuery = Object.entries(operation.query.shape).flatMap(([name, schema]) => {
      const bad = unlikelyTexts.find((value) => !z.safeParse(schema, value).success);
      if (bad === undefined) return [];
      const changed = new URLSearchParams(query);
      changed.set(name, bad);
      return [refused(`query.${name}`, `${pathTo(operation.path, params)}?${changed}`)];
    });
    assert.ok(inQuery.length > 0 || Object.keys(operation.query.shape).length === 0, "no invalid query is known");
    cells.push(...inQuery);
    if (operation.idempotent !== null || refusesKey(operation)) {
      const key = operation.idempotent === null ? "k" : "";
      cells.push(refused("header.Idempotency-Key", path, { headers: { ...asked?.headers, "idempotency-key": key } }));
    }
    if (!takesBody(operation)) return cells;
    cells.push(refused("body", path, { body: [] }));
    const fields: object = "shape" in operation.body ? Object(operation.body.shape) : {};
    for (const [name, schema] of Object.entries(fields)) {
      const bad = [...unlikelyValues, undefined].filter((value) => !z.safeParse(schema, value).success);
      const { [name]: _, ...others } = Object(asked?.body);
      for (const value of new Set([bad[0], bad.at(-1)])) {
        cells.push(
          refused(`body.${name}`, path, { body: value === undefined ? others : { ...others, [name]: value } }),
        );
      }
    }
    const broken = { ...asked, body: "{", headers: { ...asked?.headers, ...json } };
    cells.push({ what: "broken JSON", send: () => send(operation, path, broken) });
    return cells;
  }

  function unauthenticated({ operation, good }: Subject): Cell[] {
    const { path, asked } = good;
    if (operation.id === "receiveEvent") {
      const wrong: Record<string, string>[] = [{}, { "x-hub-signature-256": wrongSignature }];
      return wrong.map((signature) => ({
        what: `signature: ${JSON.stringify(signature)}`,
        send: () => api.ask("POST", path, { body: "{}", headers: { ...json, ...signature } }),
      }));
    }
    if (operation.scope === null) return [];
    return [null, "Bearer", "Basic abc", "Bearer errand_wrong", `Bearer ${revoked}`].map((authorization) => ({
      what: `authorization: ${authorization}`,
      send: async () => {
        const { cookie: _, ...given } = asked?.headers ?? {};
        const headers = { ...given, ...(authorization === null ? {} : { authorization }) };
        const answered = await api.ask(operation.method, path, { ...asked, headers });
        assert.match(answered.headers.get("www-authenticate") ?? "", /^Bearer/);
        return answered;
      },
    }));
  }

  async function forbidden({ operation, good }: Subject): Promise<Cell[]> {
    const { path, asked } = good;
    const cells: Cell[] = [];
    if (organizationIn(operation) !== null) {
      // The same wording for somebody else's organization and for a nonexistent one.
      const inVain = async (about: Prepared, by: string) => {
        const answered = await send(operation, about.path, { ...about.asked, token: by });
        assert.equal(answered.json.detail, "You do not have access to this organization.");
        return answered;
      };
      cells.push({ what: "a stranger's token", send: () => inVain(good, stranger) });
      for (const id of [api.other.organizationId, nobodys]) {
        cells.push({ what: `organization ${id}`, send: () => inVain(aboutOrganization(operation, good, id), token) });
      }
      const needed = neededScope(operation, "token");
      const others = scopes.filter((scope) => scope !== needed);
      const weak = await api.token("owner", { scopes: others });
      const sendWeak = () => send(operation, path, { ...asked, token: weak });
      if (needed !== null) cells.push({ what: `without ${needed}`, send: sendWeak });
    }
    if (operation.sessionOnly) cells.push({ what: "a token", send: () => send(operation, path, { ...asked, token }) });
    if (isUnsafe(operation)) {
      const { "sec-fetch-site": _, ...given } = asked?.headers ?? {};
      const headers = { ...given, cookie, origin: "http://evil.example" };
      cells.push({ what: "another site", send: () => api.ask(operation.method, path, { ...asked, headers }) });
    }
    return cells;
  }

  function missing({ operation, good }: Subject): Cell[] {
    const { path, asked } = good;
    const { params, query } = partsOf(operation, path);
    const inPath = namesIn(operation.path).filter((name) => name !== "org_id");
    return [
      ...inPath.map((name) => ({
        what: `no ${name}`,
        send: () => send(operation, pathTo(operation.path, { ...params, [name]: nobodys }) + query, asked),
      })),
      ...(operation.refusals.includes("not_found") ? ["repo_id"] : []).map((name) => ({
        what: `no ${name} of the query`,
        send: () => send(operation, `${pathTo(operation.path, params)}?${name}=${nobodys}`, asked),
      })),
      ...namedInBody(operation).map((name) => ({
        what: `no ${name} of the body`,
        send: () => send(operation, path, { ...asked, body: { ...Object(asked?.body), [name]: nobodys } }),
      })),
    ];
  }

  function wrongMethod({ operation, good }: Subject): Cell[] {
    const known = operations.filter(({ path }) => path === operation.path).map(({ method }) => method);
    const other = (["PUT", "PATCH", "DELETE", "POST", "GET"] as const).find((method) => !known.includes(method));
    if (other === undefined) return [];
    const sendOther = async () => {
      const answered = await send({ ...operation, method: other }, good.path);
      const allowed = answered.headers.get("allow")?.split(", ") ?? [];
      assert.ok(known.every((method) => allowed.includes(method)) && !allowed.includes(other), allowed.join());
      return answered;
    };
    return [{ what: other, send: sendOther }];
  }

  async function conflict({ operation, prepare }: Subject): Promise<Cell[]> {
    const cells: Cell[] = [];
    const inTheWay = conflicting[operation.id];
    if (inTheWay !== undefined) {
      const { path, asked } = await inTheWay();
      cells.push({ what: "in this state", send: () => send(operation, path, asked) });
    }
    if (operation.id === "startOidc" || operation.id === "finishOidc") {
      const sendWithout = async () => {
        const { path, asked } = await prepare();
        const { oidc } = api.runtime;
        api.runtime.oidc = null;
        return await send(operation, path, asked).finally(() => Object.assign(api.runtime, { oidc }));
      };
      cells.push({ what: "no sign-in provider", send: sendWithout });
    }
    if (operation.idempotent !== "once") return cells;
    // Without a body, or with one that is read before the key, a request is in progress only for a moment.
    if (!takesBody(operation) || operation.chargedAs !== null) {
      const sendBoth = async () => {
        const { path, asked } = await prepare();
        const headers = { ...asked?.headers, "idempotency-key": "both" };
        const both = await Promise.all([1, 2].map(() => send(operation, path, { ...asked, headers })));
        return both.find(({ status }) => status !== 200) ?? assert.fail("both were answered");
      };
      return [...cells, { what: "a key under way", send: sendBoth }];
    }
    const sendTwice = async () => {
      const [{ path, asked }, key] = [await prepare(), "under way"];
      const body = asked?.body ?? {};
      const held = await holdRequest(api, { method: operation.method, target: path, token, key, body });
      const answered = await send(operation, path, { body, headers: { "idempotency-key": key } });
      assert.equal((await held.letThrough()).status, 200);
      return answered;
    };
    return [...cells, { what: "a key under way", send: sendTwice }];
  }

  function changedMeanwhile({ operation, good: { path, asked } }: Subject): Cell[] {
    if (!operation.ifMatch) return [];
    const headers = { ...asked?.headers, "if-match": '"old"' };
    return [{ what: "a tag of another state", send: () => send(operation, path, { ...asked, headers }) }];
  }

  function badBody({ operation, good }: Subject, body: string | Buffer, type: string): Cell[] {
    if (!takesBody(operation)) return [];
    const headers = { ...good.asked?.headers, "content-type": type };
    return [{ what: type, send: () => send(operation, good.path, { ...good.asked, headers, body }) }];
  }

  function reusedKey({ operation, prepare }: Subject): Cell[] {
    if (!errorsOf(operation).includes("idempotency_mismatch")) return [];
    const sendTwice = async () => {
      const { path, asked } = await prepare();
      const headers = { ...asked?.headers, "idempotency-key": "twice" };
      const once = await send(operation, path, { ...asked, headers });
      assert.equal(once.status, 200, once.text);
      const other = otherRequest(operation, { path, ...(asked === undefined ? {} : { asked }) });
      return await send(operation, other.path, { ...other.asked, headers });
    };
    return [{ what: "another request under a key", send: sendTwice }];
  }

  function tooMany({ operation, prepare }: Subject): Cell[] {
    const failing = failedSignIns[operation.id];
    if (operation.rateClass === "none" && failing === undefined && !operation.takesPassword) return [];
    const sendTwice = async () => {
      const { path, asked } = await prepare();
      const { limits } = api.runtime;
      const quotas = { ...rateQuotasDefault };
      for (const name of Object.keys(quotas) as (keyof typeof quotas)[]) quotas[name] = 1;
      const sent = {
        ...(failing?.asked ?? asked),
        headers: { ...(failing?.asked ?? asked)?.headers, [addressHeader]: "192.0.2.1" },
      };
      api.runtime.limits = new RateLimits(new MemoryRateLog(() => 0), { quotas, sessionFactor: 1 });
      try {
        const target = failing?.path ?? path;
        assert.notEqual((await send(operation, target, sent)).status, 429);
        const answered = await send(operation, target, sent);
        assert.ok(Number(answered.headers.get("retry-after")) >= 1);
        return answered;
      } finally {
        api.runtime.limits = limits;
      }
    };
    return [{ what: "one more than the quota", send: sendTwice }];
  }

  /** Neither the pull request's code host nor the sign-in provider responds. */
  async function sendWithoutOthers({ operation, prepare }: Subject): Promise<Answered> {
    const { oidc } = api.runtime;
    const host = "/v1/organizations/1/integrations/github";
    const token = await api.token();
    await api.ask("PUT", host, { token, body: { base_url: new PreparedState(api).hostAddress, token: "ghp_1" } });
    // Afterwards: at another address it is another service, which knows nothing of what was prepared.
    const { path, asked } = await prepare();
    const away = async () => Promise.reject(new OidcError("unreachable", "The sign-in provider does not answer."));
    api.runtime.oidc = { ...pretendedOidc, provider: { ...pretendedOidc.provider, begin: away, finish: away } };
    try {
      return await send(operation, path, asked);
    } finally {
      api.runtime.oidc = oidc;
      await api.ask("DELETE", host, { token });
    }
  }

  function unavailable(subject: Subject): Cell[] {
    const { operation, good } = subject;
    if (!operation.refusals.includes("unavailable")) return [];
    if (operation.id !== "getReadiness") return [{ what: "others are away", send: () => sendWithoutOthers(subject) }];
    const sendWithoutStore = async () => {
      const { store } = api.runtime;
      const closed = await openStore({ file: join(api.folder, "errand.db") });
      await closed.close();
      api.runtime.store = closed;
      try {
        return await send(operation, good.path);
      } finally {
        api.runtime.store = store;
      }
    };
    const sendWithoutEngine = async () => {
      await api.store.queue.endLeases();
      const answered = await send(operation, good.path);
      await api.store.queue.beat("engine");
      return answered;
    };
    return [
      { what: "a closed store", send: sendWithoutStore },
      { what: "no engine", send: sendWithoutEngine },
    ];
  }

  return {
    400: invalid,
    401: unauthenticated,
    403: forbidden,
    404: missing,
    405: wrongMethod,
    409: conflict,
    412: changedMeanwhile,
    413: (subject) => badBody(subject, Buffer.alloc(subject.operation.bodyBytesMax + 1, " "), "application/json"),
    415: (subject) => badBody(subject, text(subject.good), "text/plain"),
    422: reusedKey,
    429: tooMany,
    503: unavailable,
  };
}
