import assert from "node:assert/strict";
import { test } from "node:test";
import type { Role } from "#lib/contract/people/organization.ts";
import { type Fixture, type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";

const all = { skip: 0, limit: 100 };
const hashOf = (byte: number) => new Uint8Array(32).fill(byte);
const inAnHour = "2026-01-31T13:00:00.000Z";

let joined = 100;
/** A new member by invitation; returns their id. */
export async function join({ store, access }: Fixture, role: Role): Promise<number> {
  joined += 1;
  const hash = hashOf(joined);
  await store.invitations.create(access, "owner", { role, note: null, hint: "abcd", hash, expiresAt: inAnHour });
  const email = `${role}-${joined}@example.com`;
  const accepted = await store.invitations.accept(hash, { fullName: role, email, password: "hashed" });
  assert.ok("userId" in accepted);
  return accepted.userId;
}

/** Members of an organization, invitations, and ways to get in. */
export function memberConformance(open: OpenStore): void {
  test("an invitation is listed and found until it expires, is withdrawn or is accepted", async (t) => {
    const { store, access, foreign, advance } = await openFixture(t, open);
    const create = (byte: number, role: Role = "member") =>
      store.invitations.create(access, "owner", {
        role,
        note: "Grace",
        hint: "abcd",
        hash: hashOf(byte),
        expiresAt: inAnHour,
      });
    const [first, second] = [await create(1), await create(2, "owner")];
    assert.ok(first !== null && second !== null);
    assert.deepEqual(first, {
      id: first.id,
      organizationId: access.organizationId,
      role: "member",
      note: "Grace",
      hint: "abcd",
      createdAt: "2026-01-31T12:00:00.000Z",
      expiresAt: inAnHour,
      userId: access.userId,
      userName: "Ada",
    });
    assert.deepEqual(await store.invitations.list(access, all), { items: [second, first], total: 2 });
    assert.deepEqual(await store.invitations.list(access, { skip: 1, limit: 1 }), { items: [first], total: 2 });
    assert.deepEqual(await store.invitations.list(foreign, all), { items: [], total: 0 });
    assert.deepEqual(await store.invitations.findByHash(hashOf(1)), { invitation: first, organization: "Errand" });
    assert.deepEqual(await store.invitations.findByHash(hashOf(3)), { ended: "unknown" });

    assert.equal(await store.invitations.withdraw(foreign, first.id), null);
    assert.deepEqual(await store.invitations.withdraw(access, first.id), first);
    assert.equal(await store.invitations.withdraw(access, first.id), null);
    assert.deepEqual(await store.invitations.findByHash(hashOf(1)), { ended: "withdrawn" });
    advance(3_600_000);
    assert.deepEqual(await store.invitations.findByHash(hashOf(2)), { ended: "expired" });
    assert.deepEqual(await store.invitations.list(access, all), { items: [], total: 0 });
  });

  test("an invitation makes one member, and an address one account", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    await join(fixture, "viewer");
    const invite = (byte: number) =>
      store.invitations.create(access, "owner", {
        role: "admin",
        note: null,
        hint: "abcd",
        hash: hashOf(byte),
        expiresAt: inAnHour,
      });
    await invite(1);
    const ada = { fullName: "Ada", email: "ada@example.com", password: "hashed" };
    assert.deepEqual(await store.invitations.accept(hashOf(1), ada), { refused: "taken" });
    const self = await store.invitations.accept(hashOf(1), { userId: access.userId });
    assert.deepEqual(self, { refused: "member", organization: "Errand" });
    const grace = { fullName: "Grace", email: "grace@example.com", password: "hashed" };
    const answers = await Promise.all([1, 1, 1].map((byte) => store.invitations.accept(hashOf(byte), grace)));
    assert.deepEqual(answers.map((answer) => ("ended" in answer ? answer.ended : "userId" in answer)).toSorted(), [
      "accepted",
      "accepted",
      true,
    ]);
    const account = await store.accounts.findByEmail("grace@example.com");
    assert.equal(account?.password, "hashed");
    assert.equal(await store.organizations.findRole(access.organizationId, account?.userId ?? 0), "admin");
    assert.equal(await store.accounts.findByEmail("GRACE@example.com"), null);
  });

  test("a role is changed and a membership ended only by a person with at least that role, within their token's limit", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign } = fixture;
    const [admin, owner, member] = [
      await join(fixture, "admin"),
      await join(fixture, "owner"),
      await join(fixture, "member"),
    ];
    const asAdmin = { ...access, userId: admin };
    const { members } = store;
    assert.deepEqual(await members.setRole(asAdmin, "owner", owner, "viewer"), { refused: "above" });
    assert.deepEqual(await members.setRole(asAdmin, "owner", member, "owner"), { refused: "beyond" });
    assert.deepEqual(await members.setRole(asAdmin, "member", admin, "viewer"), { refused: "above" });
    assert.deepEqual(await members.setRole(access, "admin", owner, "admin"), { refused: "above" });
    assert.deepEqual(await members.setRole({ ...foreign, userId: access.userId }, "owner", member, "viewer"), {
      refused: "absent",
    });
    assert.deepEqual(await members.setRole(asAdmin, "owner", member, "admin"), { before: "member" });
    assert.equal(await store.organizations.findRole(access.organizationId, member), "admin");
    assert.deepEqual(await members.remove(asAdmin, "owner", owner), { refused: "above" });
    const ended = { shares: 0, heldMessages: 0, cancelledRuns: 0 };
    assert.deepEqual(await members.remove(access, "owner", owner), { before: "owner", ended });
    assert.deepEqual(await members.remove(access, "owner", owner), { refused: "absent" });
    assert.deepEqual(await members.remove(access, "owner", access.userId), { refused: "last_owner" });
    assert.deepEqual(await members.setRole(access, "owner", access.userId, "admin"), { refused: "last_owner" });
  });

  test("a membership ends with its tokens, and with the person's sessions if they have no other", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    const userId = await join(fixture, "member");
    await store.sessions.create({ hash: hashOf(1), userId, expiresAt: inAnHour });
    await store.sessions.createLink({ hash: hashOf(2), userId, expiresAt: inAnHour });
    const token = { name: "ci", role: "member" as const, scopes: [], statusStyle: "errand" as const, hint: "abcd" };
    await store.tokens.create({ ...access, userId }, { ...token, expiresAt: null, hash: hashOf(3) });
    await store.members.remove(access, "owner", userId);
    assert.equal(await store.sessions.findUserId(hashOf(1)), null);
    assert.equal(await store.sessions.consumeLink(hashOf(2)), null);
    assert.equal(await store.tokens.findByHash(hashOf(3)), null);
    assert.equal((await store.organizations.findPerson(userId))?.fullName, "member");
  });

  test("only the last reset link works, once and in time", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, advance } = fixture;
    const userId = await join(fixture, "member");
    const by = { roleMax: "owner" as const, organizationId: null };
    const make = (byte: number) =>
      store.accounts.createReset(access, by, { userId, hash: hashOf(byte), expiresAt: inAnHour });
    await make(1);
    const made = await make(2);
    assert.ok(!("refused" in made) && made.userId === userId);
    assert.equal(await store.accounts.findReset(hashOf(1)), null);
    assert.deepEqual(await store.accounts.findReset(hashOf(2)), made);
    await store.sessions.create({ hash: hashOf(9), userId, expiresAt: inAnHour });
    await store.sessions.createLink({ hash: hashOf(8), userId, expiresAt: inAnHour });
    const uses = await Promise.all([2, 2, 1].map((byte) => store.accounts.consumeReset(hashOf(byte), "new")));
    assert.deepEqual(uses, [userId, null, null]);
    assert.equal(await store.accounts.findPassword(userId), "new");
    assert.equal(await store.sessions.findUserId(hashOf(9)), null);
    assert.equal(await store.sessions.consumeLink(hashOf(8)), null);
    await make(3);
    advance(3_600_000);
    assert.equal(await store.accounts.consumeReset(hashOf(3), "newer"), null);
    const absent = await store.accounts.createReset(access, by, { userId: 999, hash: hashOf(4), expiresAt: inAnHour });
    assert.deepEqual(absent, { refused: "absent" });
  });

  test("a password changes only if it is still the one that was checked, which ends other sessions and links", async (t) => {
    const fixture = await openFixture(t, open);
    const { store } = fixture;
    const userId = await join(fixture, "member");
    for (const byte of [1, 2]) await store.sessions.create({ hash: hashOf(byte), userId, expiresAt: inAnHour });
    await store.sessions.createLink({ hash: hashOf(3), userId, expiresAt: inAnHour });
    const change = (before: string | null) =>
      store.accounts.changePassword(userId, { before, password: "new", keeps: hashOf(1) });
    assert.equal(await change("other"), false);
    assert.equal(await change(null), false);
    assert.equal((await store.sessions.list(userId)).length, 2);
    assert.equal(await change("hashed"), true);
    assert.deepEqual(
      (await store.sessions.list(userId)).map(({ hash }) => hash),
      [hashOf(1)],
    );
    assert.equal(await store.sessions.consumeLink(hashOf(3)), null);
  });

  test("when a person was last seen is recorded once a minute, by session and by token", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, advance } = fixture;
    const { userId } = access;
    await store.sessions.create({ hash: hashOf(1), userId, expiresAt: inAnHour });
    const seen = async () => (await store.organizations.findUser(access, userId))?.lastSeenAt;
    assert.equal(await seen(), null);
    await store.sessions.touch(hashOf(1), userId);
    advance(59_999);
    await store.sessions.touch(hashOf(1), userId);
    assert.equal(await seen(), "2026-01-31T12:00:00.000Z");
    advance(1);
    await store.sessions.touch(hashOf(1), userId);
    assert.equal(await seen(), "2026-01-31T12:01:00.000Z");
    const token = { name: "ci", role: "owner" as const, scopes: [], statusStyle: "errand" as const, hint: "abcd" };
    const { id } = await store.tokens.create(access, { ...token, expiresAt: null, hash: hashOf(3) });
    advance(60_000);
    await store.tokens.touch(id);
    assert.equal(await seen(), "2026-01-31T12:02:00.000Z");
    assert.equal((await store.sessions.list(userId))[0]?.lastSeenAt, "2026-01-31T12:01:00.000Z");
  });
}
