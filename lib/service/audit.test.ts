import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { AuditRecord } from "#lib/contract/people/audit.ts";
import { addressHeader } from "#lib/http/call.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { PreparedState } from "#lib/web/prepared-state.fixture.ts";

const O = "/v1/organizations/1";
let api: ApiUnderTest;
let owner: { token: string };
before(async () => {
  api = await ApiUnderTest.open();
  owner = { token: await api.token() };
});
after(() => api.close());

async function audit(query = ""): Promise<AuditRecord[]> {
  const { status, json, text } = await api.ask("GET", `${O}/audit?${query}`, owner);
  assert.equal(status, 200, text);
  return (json.items as unknown[]).map((item) => AuditRecord.parse(item));
}

test("signing in, signing out and a reused code are recorded with their origin", async () => {
  const code = await new PreparedState(api).signInCode();
  const headers = { "user-agent": "a browser", [addressHeader]: "192.0.2.7" };
  const signIn = () => api.ask("POST", "/v1/session", { body: { code }, headers });
  const signedIn = await signIn();
  assert.equal(signedIn.status, 200);
  assert.equal((await signIn()).status, 400);
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  await api.ask("DELETE", "/v1/session", { headers: { ...headers, cookie, "sec-fetch-site": "same-origin" } });
  const [out, failed, into] = await audit("actor=person");
  assert.deepEqual(
    [into, failed, out].map((record) => record?.act),
    ["session.signed_in", "session.failed", "session.signed_out"],
  );
  for (const record of [into, failed, out]) {
    assert.deepEqual(
      [record?.user_id, record?.user_name, record?.address, record?.user_agent],
      [1, "Owner", "192.0.2.7", "a browser"],
    );
  }
  assert.equal(JSON.stringify(await audit()).includes(code), false);
});

test("guessing fills the log with no more than ten failures a minute", async () => {
  const code = await new PreparedState(api).signInCode();
  for (let time = 0; time < 15; time += 1) await api.ask("POST", "/v1/session", { body: { code } });
  assert.equal((await audit("act=session.failed")).length, 10);
});

test("an unknown code is nobody's, and signing out without a session is no act", async () => {
  const before = (await audit()).length;
  await api.ask("POST", "/v1/session", { body: { code: "A".repeat(32) } });
  await api.ask("DELETE", "/v1/session", { headers: { cookie: `errand_session=${"a".repeat(43)}` } });
  assert.equal((await audit()).length, before);
});

test("what exists already is not recorded as added", async () => {
  const body = { source: "/srv/git/once" };
  await api.ask("POST", `${O}/repos`, { ...owner, body });
  await api.ask("POST", `${O}/repos`, { ...owner, body });
  const added = (await audit("act=repository.added")).filter(({ object_name }) => object_name === "git/once");
  assert.equal(added.length, 1);
});

test("filters are combined, and pages do not overlap", async () => {
  for (const name of ["one", "two", "three"]) {
    await api.ask("POST", `${O}/tokens`, { ...owner, body: { name } });
  }
  const made = await audit("act=token.created");
  assert.deepEqual(
    made.slice(0, 3).map(({ object_name }) => object_name),
    ["three", "two", "one"],
  );
  const paged = [...(await audit("act=token.created&limit=2")), ...(await audit("act=token.created&skip=2&limit=1"))];
  assert.deepEqual(paged, made.slice(0, 3));
  const [newest, second] = made;
  assert.ok(newest && second);
  assert.deepEqual(await audit(`act=token.created&user_id=2`), []);
  assert.deepEqual(await audit(`act=token.created&until=${newest.created_at}&since=${newest.created_at}`), []);
  assert.deepEqual((await audit(`act=token.created,share.created&token_id=${newest.token_id}`))[0], newest);
  const { json } = await api.ask("GET", `${O}/audit?act=token.made`, owner);
  assert.match(String(json.detail), /^act: must be one of session\.signed_in/);
});

test("another organization's acts are nobody else's to read", async () => {
  const token = await api.token("owner", { access: api.other });
  await api.ask("POST", "/v1/organizations/2/tokens", { token, body: { name: "theirs" } });
  assert.equal(
    (await audit()).some(({ object_name }) => object_name === "theirs"),
    false,
  );
  const theirs = await api.ask("GET", "/v1/organizations/2/audit?act=token.created", { token });
  assert.deepEqual([theirs.json.total, (theirs.json.items as AuditRecord[])[0]?.object_name], [1, "theirs"]);
});

test("a file has every record that matches, and no cell of it is a formula", async () => {
  const hostile = '=HYPERLINK("http://evil.example","a")';
  for (let count = 0; count < 205; count += 1) {
    await api.store.audit.append({
      organizationId: 1,
      act: "webhook.tested",
      actor: "system",
      userId: null,
      tokenId: null,
      objectType: "webhook",
      objectId: count + 1,
      objectName: hostile,
      address: null,
      userAgent: "+1, two\r\nthree",
      details: { count },
    });
  }
  const lines = await api.ask("GET", `${O}/audit?format=jsonl&act=webhook.tested`, owner);
  assert.equal(lines.headers.get("content-type"), "application/jsonl; charset=utf-8");
  assert.match(lines.headers.get("content-disposition") ?? "", /filename="errand-audit-1\.jsonl"/);
  const records = lines.text
    .trimEnd()
    .split("\n")
    .map((line) => AuditRecord.parse(JSON.parse(line)));
  assert.deepEqual(
    records.map(({ object_id }) => object_id),
    Array.from({ length: 205 }, (_, index) => 205 - index),
  );
  const csv = await api.ask("GET", `${O}/audit?format=csv&act=webhook.tested`, owner);
  const [header, first] = csv.text.split(/\r\n(?=\d|$)/);
  assert.match(header ?? "", /^id,created_at,act,actor,/);
  assert.ok(first?.includes(`,"'=HYPERLINK(""http://evil.example"",""a"")",`), first);
  assert.ok(first?.includes(`,"'+1, two\r\nthree",`), first);
  const paged = await api.ask("GET", `${O}/audit?format=csv&limit=3`, owner);
  assert.deepEqual(
    [paged.status, paged.json.detail],
    [400, "limit: must be left out, because a file contains all matching records."],
  );
});

test("the database refuses to change or to delete a record", () => {
  const database = new DatabaseSync(join(api.folder, "errand.db"));
  try {
    database.exec("pragma busy_timeout = 5000");
    for (const statement of ["update audit set act = 'x'", "delete from audit", "delete from audit where id = 1"]) {
      assert.throws(() => database.exec(statement), /append-only/);
    }
  } finally {
    database.close();
  }
});
