import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Role } from "#lib/contract/people/organization.ts";
import type { OpenStore } from "#lib/store/conformance.fixture.ts";
import { openFixture } from "#lib/store/conformance.fixture.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Store } from "#lib/store/store.ts";

const issuer = "https://id.example.com";
const hashOf = (byte: number) => new Uint8Array(32).fill(byte);
const inMs = (ms: number) => new Date(Date.parse("2026-01-31T12:00:00.000Z") + ms).toISOString();

/** People with identities at an OpenID Connect provider, and sign-ins in progress. */
export function identityConformance(open: OpenStore): void {
  test("a person is found by issuer and subject together", async (t) => {
    const { identities, grace } = await openWithGrace(t, open);
    assert.equal(await identities.find(issuer, "grace"), grace);
    assert.equal(await identities.find(issuer, "Grace"), null);
    assert.equal(await identities.find("https://other.example.com", "grace"), null);
    assert.deepEqual(
      [await identities.hasIssuer(grace, issuer), await identities.hasIssuer(grace, "https://other.example.com")],
      [true, false],
    );
  });

  test("a subject belongs to one person, and an address to one account", async (t) => {
    const { identities, access } = await openWithGrace(t, open);
    await assert.rejects(identities.link(access.userId, issuer, "grace"));
    assert.equal(await identities.hasIssuer(access.userId, issuer), false, "nothing of the refused one is kept");
    await assert.rejects(identities.create({ issuer, subject: "eve", email: "ada@example.com", fullName: null }));
    assert.equal(await identities.find(issuer, "eve"), null);
  });

  test("an account that is tied to a subject loses every other way to act as its person", async (t) => {
    const { store, identities, access } = await openWithGrace(t, open);
    const { userId } = access;
    const change = { before: null, password: "a hash", keeps: hashOf(1) };
    await store.accounts.changePassword(userId, change);
    await store.sessions.create({ hash: hashOf(1), userId, expiresAt: inMs(60_000) });
    const by = { roleMax: "owner", organizationId: null } as const;
    await store.accounts.createReset(access, by, { userId, hash: hashOf(2), expiresAt: inMs(60_000) });
    await store.sessions.createLink({ hash: hashOf(3), userId, expiresAt: inMs(60_000) });
    const token = { name: "ci", role: "member" as const, scopes: [], statusStyle: "errand" as const, hint: "abcd" };
    await store.tokens.create(access, { ...token, expiresAt: null, hash: hashOf(4) });
    await store.accounts.update(userId, { github: { username: "ada", id: "7" } });
    const { id: integrationId } = await store.integrations.put(access, "slack", {});
    await store.links.put(access, integrationId, "U1", userId);
    await store.links.createCode(access, integrationId, { hash: hashOf(5), expiresAt: inMs(60_000) });
    await identities.link(userId, issuer, "ada");
    assert.equal(await identities.find(issuer, "ada"), userId);
    assert.equal(await store.accounts.findPassword(userId), null);
    assert.equal(await store.sessions.find(hashOf(1)), null);
    assert.equal(await store.accounts.findReset(hashOf(2)), null);
    assert.equal(await store.sessions.consumeLink(hashOf(3)), null);
    assert.equal(await store.tokens.findByHash(hashOf(4)), null);
    assert.equal((await store.organizations.findPerson(userId))?.githubUserId, null);
    assert.equal(await store.links.findUser(integrationId, "U1"), null);
    assert.equal(await store.links.redeemCode(integrationId, hashOf(5), "U2"), null);
  });

  test("groups give a role, change it and take it; the last owner keeps theirs", async (t) => {
    const { store, identities, access, grace } = await openWithGrace(t, open);
    const set = (role: Parameters<typeof identities.setGroupRole>[2]) =>
      identities.setGroupRole(access.organizationId, grace, role);
    const roleNow = () => store.organizations.findRole(access.organizationId, grace);
    assert.deepEqual(await set(null), { kind: "unchanged" });
    assert.deepEqual([await set("member"), await roleNow()], [{ kind: "added" }, "member"]);
    assert.deepEqual(await set("member"), { kind: "unchanged" });
    assert.deepEqual([await set("owner"), await roleNow()], [{ kind: "changed", before: "member" }, "owner"]);
    assert.deepEqual([await set("viewer"), await roleNow()], [{ kind: "changed", before: "owner" }, "viewer"]);
    const ended = { shares: 0, heldMessages: 0, cancelledRuns: 0 };
    assert.deepEqual([await set(null), await roleNow()], [{ kind: "removed", before: "viewer", ended }, null]);
    assert.deepEqual(
      [await set("member"), await roleNow()],
      [{ kind: "added" }, "member"],
      "groups took it, so they may",
    );

    assert.deepEqual(await identities.setGroupRole(access.organizationId, access.userId, null), { kind: "unchanged" });
    assert.equal(await store.organizations.findRole(access.organizationId, access.userId), "owner", "given by hand");
    await set("owner");
    await store.members.remove({ ...access, userId: grace }, "owner", access.userId);
    assert.deepEqual(
      [await set("viewer"), await roleNow()],
      [{ kind: "unchanged" }, "owner"],
      "nobody else is an owner",
    );
  });

  test("groups do not restore a person whom somebody removed here", async (t) => {
    const { store, identities, access, grace } = await openWithGrace(t, open);
    await identities.setGroupRole(access.organizationId, grace, "member");
    await store.members.remove(access, "owner", grace);
    const again = () => identities.setGroupRole(access.organizationId, grace, "member");
    assert.deepEqual([await again(), await again()], [{ kind: "removed_by_hand" }, { kind: "removed_by_hand" }]);
    assert.equal(await store.organizations.findRole(access.organizationId, grace), null);
    await identities.setGroupRole(access.organizationId, grace, null);
    assert.deepEqual(await again(), { kind: "added" }, "once the groups had taken it too");
  });

  test("groups do not add a person again whose membership was granted and ended by hand", async (t) => {
    const { store, identities, access, grace } = await openWithGrace(t, open);
    await invite(store, access, grace, "viewer");
    await store.members.remove(access, "owner", grace);
    const change = await identities.setGroupRole(access.organizationId, grace, "member");
    assert.deepEqual(change, { kind: "removed_by_hand" });
    assert.equal(await store.organizations.findRole(access.organizationId, grace), null);
  });

  test("a person who is invited back after a removal keeps the invitation's role, whatever the groups say", async (t) => {
    const { store, identities, access, grace } = await openWithGrace(t, open);
    await identities.setGroupRole(access.organizationId, grace, "member");
    await store.members.remove(access, "owner", grace);
    await invite(store, access, grace, "admin");
    for (const role of ["viewer", null] as const) {
      assert.deepEqual(await identities.setGroupRole(access.organizationId, grace, role), { kind: "unchanged" });
      assert.equal(await store.organizations.findRole(access.organizationId, grace), "admin");
    }
  });

  test("a sign-in in progress is used once, in time", async (t) => {
    const { identities, advance } = await openWithGrace(t, open);
    await identities.begin({ hash: hashOf(1), expiresAt: inMs(60_000) });
    await identities.begin({ hash: hashOf(2), expiresAt: inMs(60_000) });
    assert.equal(await identities.use(hashOf(9)), false);
    assert.deepEqual([await identities.use(hashOf(1)), await identities.use(hashOf(1))], [true, false]);
    advance(60_000);
    assert.equal(await identities.use(hashOf(2)), false);
  });

  test("every organization is listed, the first one first", async (t) => {
    const { store, identities, access } = await openWithGrace(t, open);
    const second = await store.ownOrganizations.create({ name: "Second", ownerId: access.userId });
    assert.deepEqual(await identities.listOrganizationIds(), [access.organizationId, second]);
  });

  test("a person's rules are kept, changed on their own and cleared", async (t) => {
    const { store, access, grace } = await openWithGrace(t, open);
    const { accounts } = store;
    assert.equal(await accounts.findRules(access.userId), null);
    await accounts.update(access.userId, { rules: "Use tabs." });
    await accounts.update(access.userId, { fullName: "Ada L." });
    assert.deepEqual([await accounts.findRules(access.userId), await accounts.findRules(grace)], ["Use tabs.", null]);
    await accounts.update(access.userId, { rules: null });
    assert.equal(await accounts.findRules(access.userId), null);
  });
}

/** Makes the person a member by invitation. */
async function invite(store: Store, access: Access & { userId: number }, userId: number, role: Role): Promise<void> {
  const hash = hashOf(7);
  await store.invitations.create(access, "owner", { role, note: null, hint: "abcd", hash, expiresAt: inMs(60_000) });
  assert.ok("userId" in (await store.invitations.accept(hash, { userId })));
}

/** A store in which the provider knows one person, who belongs to no organization. */
async function openWithGrace(t: TestContext, open: OpenStore) {
  const fixture = await openFixture(t, open);
  const { identities } = fixture.store;
  const person = { issuer, subject: "grace", email: "grace@example.com", fullName: "Grace" };
  return { ...fixture, identities, grace: await identities.create(person) };
}
