import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSuiteDefaults } from "#lib/contract/repositories/check-suite.ts";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";

const all = { skip: 0, limit: 100 };
const hashOf = (byte: number) => new Uint8Array(32).fill(byte);

/** Organizations, repositories, tokens, sessions, agents. */
export function peopleConformance(open: OpenStore): void {
  test("the first organization is created once, with its owner", async (t) => {
    const { store, access } = await openFixture(t, open);
    const names = { organization: "Other", fullName: "Bob", email: null };
    assert.deepEqual(await store.organizations.ensureFirst(names), { ...access, created: false });
    const settings = await store.settings.get(access.organizationId);
    assert.deepEqual(await store.organizations.listOfUser(access.userId, all), {
      items: [{ id: access.organizationId, name: "Errand", settings }],
      total: 1,
    });
    assert.deepEqual(await store.organizations.findOrganization(access.organizationId), {
      id: access.organizationId,
      name: "Errand",
      settings,
    });
    const ada = {
      id: access.userId,
      email: "ada@example.com",
      fullName: "Ada",
      githubUsername: null,
      githubUserId: null,
      role: "owner",
      hasPassword: false,
      hasIdentity: false,
      lastSeenAt: null,
    };
    assert.deepEqual(await store.organizations.findUser(access, access.userId), ada);
    assert.deepEqual(await store.organizations.listUsers(access, all), { items: [ada], total: 1 });
    assert.deepEqual(await store.organizations.findPerson(access.userId), { ...ada, role: null });
    assert.equal(await store.organizations.findRole(access.organizationId, access.userId), "owner");
  });

  test("a person who is not a member has no role and is not listed", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    assert.equal(await store.organizations.findRole(foreign.organizationId, access.userId), null);
    assert.equal(await store.organizations.findRole(access.organizationId, access.userId + 1), null);
    assert.equal(await store.organizations.findUser(foreign, access.userId), null);
    assert.deepEqual(await store.organizations.listUsers(foreign, all), { items: [], total: 0 });
    assert.equal(await store.organizations.findPerson(access.userId + 1), null);
    assert.equal(await store.organizations.findOrganization(foreign.organizationId), null);
  });

  test("a repository is added once per source, and found by text taken literally", async (t) => {
    const { store, access } = await openFixture(t, open);
    const add = (name: string, source: string) =>
      store.repositories.add(access, {
        name,
        fullName: `team/${name}`,
        description: null,
        source,
        defaultBranch: "main",
      });
    const first = await add("zeta_100%", "/srv/zeta");
    assert.equal(first.created, true);
    assert.deepEqual(await add("another", "/srv/zeta"), { repository: first.repository, created: false });
    await add("Alpha", "/srv/alpha");
    const names = async (q?: string) => {
      const { items, total } = await store.repositories.list(access, q === undefined ? {} : { q }, all);
      assert.equal(total, items.length);
      return items.map(({ name }) => name);
    };
    assert.deepEqual(await names(), ["Alpha", "zeta_100%"]);
    assert.deepEqual(await names("ALPHA"), ["Alpha"]);
    assert.deepEqual(await names("100%"), ["zeta_100%"]);
    assert.deepEqual(await names("%"), ["zeta_100%"]);
    assert.deepEqual(await names("a_1"), ["zeta_100%"]);
    assert.deepEqual(await names("l_h"), []);
    assert.deepEqual(await names("\\"), []);
    await add("https", "https://deploy:S3cret@git.test/team/app.git");
    await add("ssh", "ssh://git:S3cret@git.test:22/team/app.git");
    for (const q of ["S3cret", "y:s", "deploy", ":s3cret@", "t@git"]) {
      assert.deepEqual(await names(q), [], `"${q}" is not shown`);
    }
    assert.deepEqual(await names("Git.test"), ["https", "ssh"]);
    assert.deepEqual(await names("team/app"), ["https", "ssh"]);
    assert.deepEqual(await names("//git"), ["ssh"]);
  });

  test("repositories are listed by the name that is shown, which has the owner first, ignoring case", async (t) => {
    const { store, access } = await openFixture(t, open);
    for (const fullName of ["t3/app", "Acme/storefront", "acme/Handbook", "zebra"]) {
      const name = fullName.split("/").at(-1) ?? "";
      await store.repositories.add(access, {
        name,
        fullName,
        description: null,
        source: `/${name}`,
        defaultBranch: "main",
      });
    }
    const { items } = await store.repositories.list(access, {}, all);
    assert.deepEqual(
      items.map(({ fullName }) => fullName),
      ["acme/Handbook", "Acme/storefront", "t3/app", "zebra"],
    );
  });

  test("a repository's name, description and check settings change only in its own organization", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    const names = { name: "a", fullName: "team/a", description: "One", source: "/a", defaultBranch: "main" };
    const { repository } = await store.repositories.add(access, names);
    const { id } = repository;
    assert.equal(await store.repositories.update(foreign, id, { name: "stolen" }), null);
    assert.deepEqual(await store.repositories.update(access, id, {}), repository);
    const renamed = { ...repository, name: "b", fullName: "b" };
    assert.deepEqual(await store.repositories.update(access, id, { name: "b", fullName: "b" }), renamed);
    const changed = await store.repositories.update(access, id, { description: null });
    assert.deepEqual(changed, { ...renamed, description: null });

    assert.equal(await store.repositories.findChecks(access, id), null);
    const settings = { ...checkSuiteDefaults, check_retry_counts: { lint: 2 }, ignored_checks: ["coverage"] };
    await store.repositories.putChecks(access, id, checkSuiteDefaults);
    await store.repositories.putChecks(access, id, settings);
    assert.deepEqual(await store.repositories.findChecks(access, id), settings);
    assert.equal(await store.repositories.findChecks(foreign, id), null);
  });

  test("a repository's default branch is the one last seen", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    const { repository } = await store.repositories.add(access, {
      name: "a",
      fullName: "a",
      description: "text",
      source: "/a",
      defaultBranch: null,
    });
    await store.repositories.setDefaultBranch(repository.id, "trunk");
    assert.deepEqual(await store.repositories.find(access, repository.id), { ...repository, defaultBranch: "trunk" });
    assert.equal(await store.repositories.find(foreign, repository.id), null);
    assert.deepEqual(await store.repositories.list(foreign, {}, all), { items: [], total: 0 });
  });

  test("a token is found by its hash until it expires or is revoked", async (t) => {
    const { store, access, foreign, advance } = await openFixture(t, open);
    const common = { name: "ci", role: "member", scopes: ["runs:read"], statusStyle: "errand", hint: "abcd" } as const;
    const values = { ...common, scopes: [...common.scopes] };
    const lasting = await store.tokens.create(access, { ...values, expiresAt: null, hash: hashOf(1) });
    const short = await store.tokens.create(access, {
      ...values,
      expiresAt: "2026-01-31T12:00:01.000Z",
      hash: hashOf(2),
    });
    assert.deepEqual(await store.tokens.findByHash(hashOf(1)), lasting);
    assert.deepEqual(await store.tokens.findByHash(hashOf(2)), short);
    assert.equal(await store.tokens.findByHash(hashOf(3)), null);
    advance(1000);
    assert.equal(await store.tokens.findByHash(hashOf(2)), null);

    const listed = (token: object) => ({ ...token, userName: "Ada" });
    assert.deepEqual(await store.tokens.list(access, {}, all), { items: [listed(short), listed(lasting)], total: 2 });
    assert.deepEqual(await store.tokens.list(access, { userId: access.userId + 1 }, all), { items: [], total: 0 });
    assert.deepEqual(await store.tokens.list(access, { tokenId: short.id }, all), { items: [listed(short)], total: 1 });
    assert.deepEqual(await store.tokens.list(foreign, {}, all), { items: [], total: 0 });
    assert.equal(await store.tokens.revoke(access, lasting.id, { tokenId: short.id }), null);

    assert.equal(await store.tokens.revoke(foreign, lasting.id, {}), null);
    assert.equal(await store.tokens.revoke(access, lasting.id, { userId: access.userId + 1 }), null);
    assert.deepEqual(await store.tokens.findByHash(hashOf(1)), lasting);
    assert.deepEqual(await store.tokens.revoke(access, lasting.id, { userId: access.userId }), lasting);
    assert.equal(await store.tokens.revoke(access, lasting.id, {}), null);
    assert.equal(await store.tokens.findByHash(hashOf(1)), null);
    assert.deepEqual(await store.tokens.list(access, {}, all), { items: [listed(short)], total: 1 });
  });

  test("a token's use is recorded at most once a minute", async (t) => {
    const { store, access, advance } = await openFixture(t, open);
    const token = await store.tokens.create(access, {
      name: "ci",
      role: "owner",
      scopes: [],
      statusStyle: "reference",
      hint: "abcd",
      expiresAt: null,
      hash: hashOf(1),
    });
    const used = async () => {
      await store.tokens.touch(token.id);
      return (await store.tokens.findByHash(hashOf(1)))?.lastUsedAt;
    };
    assert.equal(await used(), "2026-01-31T12:00:00.000Z");
    advance(59_999);
    assert.equal(await used(), "2026-01-31T12:00:00.000Z");
    advance(1);
    assert.equal(await used(), "2026-01-31T12:01:00.000Z");
  });

  test("a sign-in code works once and in time", async (t) => {
    const { store, access, advance } = await openFixture(t, open);
    const { userId } = access;
    await store.sessions.createLink({ hash: hashOf(1), userId, expiresAt: "2026-01-31T12:15:00.000Z" });
    await store.sessions.createLink({ hash: hashOf(2), userId, expiresAt: "2026-01-31T12:15:00.000Z" });
    const uses = await Promise.all([1, 1, 1, 3].map((byte) => store.sessions.consumeLink(hashOf(byte))));
    assert.deepEqual(uses, [userId, null, null, null]);
    advance(15 * 60_000);
    assert.equal(await store.sessions.consumeLink(hashOf(2)), null);
  });

  test("a session lives until it expires or is deleted", async (t) => {
    const { store, access, advance } = await openFixture(t, open);
    const { userId } = access;
    for (const byte of [1, 2]) {
      await store.sessions.create({ hash: hashOf(byte), userId, expiresAt: "2026-01-31T13:00:00.000Z" });
    }
    assert.equal(await store.sessions.findUserId(hashOf(1)), userId);
    await store.sessions.delete(hashOf(1));
    assert.equal(await store.sessions.findUserId(hashOf(1)), null);
    assert.equal(await store.sessions.findUserId(hashOf(2)), userId);
    advance(3_600_000);
    assert.equal(await store.sessions.findUserId(hashOf(2)), null);
  });

  test("the agents are those of the last look, in its order", async (t) => {
    const { store } = await openFixture(t, open);
    const agent = (id: string) => listedAgent(id, { version: "1", models: ["a", "b"], keys: ["MODEL_API_KEY"] });
    await store.agents.replaceAll([agent("steps"), agent("claude")]);
    await store.agents.replaceAll([{ ...agent("codex"), mark: "here" }, agent("steps")]);
    assert.deepEqual(await store.agents.list(), [agent("codex"), agent("steps")]);
    assert.deepEqual([...(await store.agents.marks())], [["codex", "here"]]);
  });

  test("why the agents file is not used is known until it is used again", async (t) => {
    const { agents } = (await openFixture(t, open)).store;
    assert.equal(await agents.findFileProblem(), null);
    await agents.putFileProblem("it is empty");
    await agents.putFileProblem("it is not JSON");
    assert.equal(await agents.findFileProblem(), "it is not JSON");
    await agents.putFileProblem(null);
    assert.equal(await agents.findFileProblem(), null);
  });

  test("only the last finding about the machine of the agents is kept", async (t) => {
    const { store } = await openFixture(t, open);
    assert.equal(await store.agents.findMachine(), null);
    const holds = { holds: true, why: null, command: null, advice: null };
    const gone = { holds: false, why: "No bwrap.", command: "sudo apt install bubblewrap", advice: null };
    const of = { setting: "auto" as const, runs_as: "service" as const, checked_at: "2026-01-31T12:00:00.000Z" };
    await store.agents.putMachine({ ...of, ...holds });
    await store.agents.putMachine({ ...of, ...gone });
    assert.deepEqual(await store.agents.findMachine(), { ...of, ...gone });
  });
}
