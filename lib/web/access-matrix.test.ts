import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AnyOperation, neededScope } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import { Role } from "#lib/contract/people/organization.ts";
import { scopesOf } from "#lib/contract/people/role-scopes.ts";
import { mayAct } from "#lib/contract/runs/run-acts.ts";
import { type Answered, ApiUnderTest, type Asked, memberPassword } from "./api-under-test.ts";
import { openedPull } from "./opened-pull.fixture.ts";
import { inOrganization, isUnsafe, nobodys, pathTo } from "./operation-path.fixture.ts";
import { browserOf } from "./people.fixture.ts";
import { PreparedState } from "./prepared-state.fixture.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

/** A caller, and the expected result by the contract: the status of their refusal in the first organization, or null. */
type Principal = {
  name: string;
  asked: Asked;
  refusal: (operation: AnyOperation) => 401 | 403 | null;
  /** Their relation to a run of the first organization's owner; null if only the operation decides. */
  to: { role: Role; isOwner: boolean } | null;
};

const lacks = (operation: AnyOperation, kind: "token" | "session", role: Role) => {
  if (kind === "token" && operation.sessionOnly) return true;
  const scope = neededScope(operation, kind);
  return scope !== null && !scopesOf(role).includes(scope);
};

/** The session and the token of an admin who has just been removed. */
async function removedMember(): Promise<{ session: Asked; token: Asked }> {
  const { userId, access, headers } = await api.member("admin");
  const token = await api.token("admin", { access });
  await api.changeRole(userId, null);
  return { session: { headers }, token: { token } };
}

/** The session of a person who belongs only to the other organization, by invitation. */
async function strangersSession(): Promise<Asked> {
  const token = await api.token("owner", { access: api.other });
  const { json } = await api.asked("POST", "/v1/organizations/2/invitations", { token, body: { role: "admin" } });
  const body = { full_name: "Stranger", email: "stranger@errand.test", password: memberPassword };
  return browserOf(await api.asked("POST", `/v1/invitations/${json.code}/accept`, { body }));
}

async function principals(): Promise<Principal[]> {
  const state = new PreparedState(api);
  const removed = await removedMember();
  const refused: [string, Asked][] = [
    ["nobody", {}],
    ["a wrong token", { token: `errand_${"a".repeat(36)}` }],
    ["an expired token", { token: await api.token("owner", { ends: new Date(Date.now() - 1000).toISOString() }) }],
    ["a revoked token", { token: await state.revokedToken() }],
    ["a removed member's session", removed.session],
    ["a removed member's token", removed.token],
    ["a share's token as bearer", { token: (await state.share()).token }],
    [
      "a session that has ended",
      { headers: (await api.member("owner", new Date(Date.now() - 1000).toISOString())).headers },
    ],
  ];
  const list: Principal[] = refused.map(([name, asked]) => ({ name, asked, refusal: () => 401, to: null }));
  const foreign = await api.token("owner", { access: api.other });
  list.push({
    name: "a token of another organization",
    asked: { token: foreign },
    refusal: (operation) => (inOrganization(operation) || operation.sessionOnly ? 403 : null),
    to: null,
  });
  list.push({
    name: "a session of another organization",
    asked: await strangersSession(),
    refusal: (operation) => (inOrganization(operation) ? 403 : null),
    to: null,
  });
  for (const role of Role.options) {
    const token = await api.token(role);
    const { cookie } = (await api.member(role)).headers;
    const byRole = (kind: "token" | "session") => (operation: AnyOperation) =>
      (inOrganization(operation) || operation.sessionOnly) && lacks(operation, kind, role) ? 403 : null;
    list.push({ name: `a token of ${role}`, asked: { token }, refusal: byRole("token"), to: { role, isOwner: true } });
    const to = { role, isOwner: false };
    const own = { cookie, origin: "http://errand.test" };
    list.push({ name: `a session of ${role}`, asked: { headers: own }, refusal: byRole("session"), to });
    list.push({
      name: `a session of ${role}, from another site`,
      asked: { headers: { cookie, origin: "http://evil.example" } },
      refusal: (operation) => (isUnsafe(operation) ? 403 : byRole("session")(operation)),
      to,
    });
  }
  return list;
}

/** Ids of objects of the first organization, of another one, and of none. Names without an id get one that does not exist. */
type Ids = Record<string, number>;

async function objects(): Promise<{ own: Ids; foreign: Ids; missing: Ids }> {
  const idsOf = async (access: { organizationId: number; userId: number }) => {
    const run = await api.run({ access });
    const source = `/srv/of-${access.organizationId}`;
    const names = { name: "a", fullName: "o/a", description: null, defaultBranch: null };
    const { repository } = await api.store.repositories.add(access, { ...names, source });
    return { agent_run_id: run.id, sandbox_id: run.id, repo_id: repository.id, user_id: access.userId };
  };
  return { own: await idsOf(api.home), foreign: await idsOf(api.other), missing: {} };
}

test("callers who may not do something are refused, whoever they are and whatever object it is; those who may are not", async (t) => {
  const [all, { own, foreign, missing }] = [await principals(), await objects()];
  const wrong: string[] = [];
  let cells = 0;
  for (const operation of operations.filter(({ scope }) => scope !== null)) {
    for (const { name, asked, refusal, to } of all) {
      // Without bodies: a refusal comes before one is read.
      const ask = (organizationId: number, ids: Ids): Promise<Answered> =>
        api.ask(operation.method, pathTo(operation.path, { ...ids, org_id: organizationId }), asked);
      const expect = (what: string, isRight: boolean, { status }: Answered) => {
        cells += 1;
        if (!isRight) wrong.push(`${operation.id} by ${name} on ${what}: ${status}`);
      };
      const refused = refusal(operation);
      const isAsExpected = ({ status }: Answered) =>
        refused === null ? status !== 401 && status !== 403 && status < 500 : status === refused;
      // Operations that change something are tried on objects that do not exist.
      const ownIds = isUnsafe(operation) ? missing : own;
      const onOwn = operation.resultType === "text/event-stream" && refused === null ? null : await ask(1, ownIds);
      const isActRefused =
        to !== null && operation.act !== null && ownIds === own && !mayAct(to.role, operation.act, to.isOwner);
      if (onOwn !== null) expect("its own", isActRefused ? onOwn.status === 403 : isAsExpected(onOwn), onOwn);
      const onMissing = await ask(1, missing);
      expect("nothing", isAsExpected(onMissing), onMissing);
      // Outside an organization's path, an object foreign to the first one may be the caller's own.
      const isTheirs = !inOrganization(operation) && name.endsWith("of another organization");
      const onForeign = isTheirs ? onMissing : await ask(1, foreign);
      expect(
        "another organization's",
        onForeign.status === onMissing.status && onForeign.json.detail === onMissing.json.detail,
        onForeign,
      );
      if (!inOrganization(operation) || name.endsWith("of another organization")) continue;
      for (const organizationId of [2, nobodys]) {
        const elsewhere = await ask(organizationId, missing);
        expect(`organization ${organizationId}`, elsewhere.status === (refused === 401 ? 401 : 403), elsewhere);
      }
    }
  }
  assert.deepEqual(wrong, [], `${wrong.length} of ${cells} cells are wrong`);
  assert.ok(cells > 2000);
  t.diagnostic(`${cells} cells of operations, principals and objects, 0 wrong`);
});

test("an existing pull request, and settings of a repository, are missing for another organization, whatever valid body it sends", async () => {
  const { store, home, other } = api;
  const { id, repositoryId } = await openedPull(api);
  const names = { name: "own", fullName: "o/own", description: null, defaultBranch: null };
  const { repository: own } = await store.repositories.add(other, { ...names, source: "/srv/own-of-other" });
  const [owner, stranger] = [await api.token(), await api.token("owner", { access: other })];
  const edit = { state: "closed" };
  const checks = { check_retry_count: 7, ignored_checks: ["lint"] };
  const settings = { mode: "off", base_branch: "next" };
  type Case = [method: string, path: (repo: number, pull: number) => string, body?: object];
  const cases: Case[] = [
    ["PATCH", (_, pull) => `prs/${pull}`, edit],
    ["PATCH", (repo, pull) => `repos/${repo}/prs/${pull}`, edit],
    ["PATCH", (_, pull) => `repos/${own.id}/prs/${pull}`, edit],
    ["GET", (repo) => `repos/check-suite-settings?repo_id=${repo}`],
    ["PUT", (repo) => `repos/check-suite-settings?repo_id=${repo}`, checks],
    ["GET", (repo) => `repos/${repo}/pull-settings`],
    ["PUT", (repo) => `repos/${repo}/pull-settings`, settings],
  ];
  const kept = async () => ({
    pull: await store.pulls.find(home, id),
    checks: await store.repositories.findChecks(home, repositoryId),
    settings: await store.pulls.findSettings(home, repositoryId),
    theirs: await store.pulls.findSettings(other, repositoryId),
    audit: await Promise.all([home, other].map(({ organizationId }) => auditOf(organizationId))),
  });
  const auditOf = async (organizationId: number) => {
    const token = organizationId === home.organizationId ? owner : stranger;
    return (await api.asked("GET", `/v1/organizations/${organizationId}/audit?limit=100`, { token })).json;
  };
  const before = await kept();
  for (const [method, path, body] of cases) {
    const ask = (organizationId: number, token: string, at: string) =>
      api.ask(method, `/v1/organizations/${organizationId}/${at}`, { token, body });
    const foreign = await ask(other.organizationId, stranger, path(repositoryId, id));
    const missing = await ask(other.organizationId, stranger, path(nobodys, nobodys));
    assert.deepEqual([foreign.status, foreign.json.detail], [404, missing.json.detail], `${method} ${foreign.text}`);
  }
  assert.deepEqual(await kept(), before);
  // Each of these requests does something for its own organization, or fails only because there is no host.
  for (const [method, path, body] of cases.filter(([, path]) => !path(0, 0).startsWith(`repos/${own.id}/`))) {
    const { status, text } = await api.ask(method, `/v1/organizations/1/${path(repositoryId, id)}`, {
      token: owner,
      body,
    });
    assert.ok(status === 200 || (method === "PATCH" && status === 503), `${method}: ${status} ${text}`);
  }
  assert.notDeepEqual(await kept(), before);
});
