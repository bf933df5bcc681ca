// Tier: rest
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import type { Front } from "#lib/web/front.ts";
import { sendTo } from "#lib/web/plain-request.fixture.ts";
import { createMirror, mirrorPath } from "#lib/workspace/mirror.ts";
import { git, temporaryFolder, testEnv, writeFiles } from "#lib/workspace/test-repository.ts";
import { basic, client, commitOnRun, fetchAddress, mirrored, refetched, refsOf } from "./mirror-under-test.fixture.ts";

let api: ApiUnderTest;
let front: Front;

before(async () => {
  api = await ApiUnderTest.open();
  front = await api.serve();
});
after(async () => {
  await front.close();
  await api.close();
});

const addressOf = (path: string | number, token = "") => fetchAddress(front.port, path, token);

test("a clone has the source's branches and tags and the branches of runs, and nothing of the service's own", async (t) => {
  const folder = temporaryFolder(t);
  const source = join(folder, "source");
  const { id, mirror, commit } = await mirrored(api, source);
  git(source, "branch", "feature/ü");
  git(source, "tag", "-a", "v1", "-m", "one");
  await refetched(api, id, source);
  const made = commitOnRun(mirror, 12);
  git(mirror, "update-ref", "refs/errand/base/run-12", commit);
  git(mirror, "update-ref", "refs/heads/private", commit);
  const token = await api.token("viewer");

  const listed = await client(folder, "ls-remote", "--symref", addressOf(id, token));
  const tag = git(source, "rev-parse", "v1");
  assert.deepEqual(listed.stdout.trim().split("\n"), [
    "ref: refs/heads/main\tHEAD",
    `${commit}\tHEAD`,
    `${made}\trefs/heads/errand/run-12`,
    `${commit}\trefs/heads/feature/ü`,
    `${commit}\trefs/heads/main`,
    `${tag}\trefs/tags/v1`,
    `${commit}\trefs/tags/v1^{}`,
  ]);
  const header = `http.extraHeader=Authorization: Bearer ${token}`;
  const cloned = await client(folder, "-c", header, "clone", addressOf(id), "clone");
  assert.equal(cloned.code, 0, cloned.stderr);
  assert.equal(git(join(folder, "clone"), "rev-parse", "--abbrev-ref", "HEAD"), "main");

  // The command offered by the run's page, in a checkout of the source itself.
  const fetched = await client(source, "fetch", addressOf(id, token), "errand/run-12");
  assert.equal(fetched.code, 0, fetched.stderr);
  assert.equal(git(source, "rev-parse", "FETCH_HEAD"), made);
  assert.equal(git(source, "show", "FETCH_HEAD:a.txt"), "two");

  const next = commitOnRun(mirror, 12, "three\n");
  assert.equal((await client(source, "fetch", addressOf(id, token), "errand/run-12")).code, 0);
  assert.equal(git(source, "rev-parse", "FETCH_HEAD"), next);
});

for (const version of ["0", "1", "2"]) {
  test(`protocol version ${version}: many branches are fetched, with compressed requests`, async (t) => {
    const folder = temporaryFolder(t);
    const source = join(folder, "source");
    const { id, mirror } = await mirrored(api, source);
    for (let index = 0; index < 10; index += 1) {
      git(source, "commit", "--quiet", "--allow-empty", "-m", `commit ${index}`);
      git(source, "branch", `branch-${index}`);
    }
    await refetched(api, id, source);
    const token = await api.token();
    const clone = join(folder, "clone");
    const use = ["-c", `protocol.version=${version}`];
    const cloned = await client(folder, ...use, "clone", "--quiet", addressOf(id, token), clone);
    assert.equal(cloned.code, 0, cloned.stderr);
    // Their commits make the client list many commits that it has.
    for (let index = 0; index < 30; index += 1) {
      git(clone, "commit", "--quiet", "--allow-empty", "-m", `own ${index}`);
      git(clone, "branch", `own-${index}`);
    }
    const made = commitOnRun(mirror, 1);
    const fetched = await client(clone, ...use, "fetch", "origin", "errand/run-1");
    assert.equal(fetched.code, 0, fetched.stderr);
    assert.equal(git(clone, "rev-parse", "FETCH_HEAD"), made);
  });
}

test("a partial clone gets only what it asks for, and the rest when it needs it", async (t) => {
  const folder = temporaryFolder(t);
  const { id } = await mirrored(api, join(folder, "source"));
  const token = await api.token();
  const clone = join(folder, "clone");
  const cloned = await client(folder, "clone", "--no-checkout", "--filter=blob:none", addressOf(id, token), clone);
  assert.equal(cloned.code, 0, cloned.stderr);
  assert.doesNotMatch(cloned.stderr, /filtering not recognized/);
  const missing = git(clone, "rev-list", "--objects", "--all", "--missing=print").match(/^\?/gm) ?? [];
  assert.ok(missing.length > 0);
  assert.equal((await client(clone, "checkout", "main")).code, 0);
  assert.ok(existsSync(join(clone, "a.txt")));
  const filter = "--filter=sparse:oid=HEAD:a.txt";
  const refused = await client(folder, "clone", filter, addressOf(id, token), join(folder, "other"));
  assert.match(refused.stderr, /filter 'sparse:oid' not supported/);
});

test("a compressed request is read as the same one uncompressed, and bad bodies are refused", async (t) => {
  const { id } = await mirrored(api, join(temporaryFolder(t), "source"));
  const token = await api.token();
  const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;
  const body = `${line("command=ls-refs\n")}0001${line("ref-prefix refs/heads/\n")}0000`;
  const type = { "content-type": "application/x-git-upload-pack-request", "git-protocol": "version=2" };
  const post = (sent: string | Uint8Array, more: Record<string, string> = {}) =>
    sendTo(front.port, `/git/1/${id}.git/git-upload-pack`, {
      method: "POST",
      headers: { ...basic(token), ...type, ...more },
      body: sent,
    });
  const plain = await post(body);
  assert.equal(plain.status, 200);
  assert.match(plain.text, /refs\/heads\/main/);
  assert.equal(plain.headers["content-type"], "application/x-git-upload-pack-result");
  assert.equal((await post(gzipSync(body), { "content-encoding": "gzip" })).text, plain.text);
  assert.equal((await post("no gzip", { "content-encoding": "gzip" })).status, 400);
  assert.equal((await post(gzipSync(Buffer.alloc(20_000_000)), { "content-encoding": "gzip" })).status, 413);
  assert.equal((await post(body, { "content-type": "text/plain" })).status, 415);
});

test("a caller who may not read is told so: 401 with a Basic challenge, 403, 404, and no push", async (t) => {
  const folder = temporaryFolder(t);
  const source = join(folder, "source");
  const { id, mirror, commit } = await mirrored(api, source);
  const token = await api.token();
  const status = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    (await sendTo(front.port, path, { headers, method })).status;
  const asked = await sendTo(front.port, refsOf(id));
  assert.equal(asked.status, 401);
  assert.equal(asked.headers["www-authenticate"], 'Basic realm="Errand", charset="UTF-8"');
  assert.equal(JSON.parse(asked.text).code, "unauthenticated");
  const { headers: session } = await api.member("owner");
  const { json: share } = await api.asked("POST", `/v1/organizations/1/agent/run/${(await api.run()).id}/shares`, {
    token,
    body: {},
  });
  for (const headers of [
    session,
    basic("errand_nonsense"),
    basic(""),
    basic(String(share.token)),
    basic("", token),
    { authorization: "Basic" },
    { authorization: "Basic !" },
  ]) {
    const refused = await sendTo(front.port, refsOf(id), { headers });
    assert.equal(refused.status, 401, JSON.stringify(headers));
    assert.match(String(refused.headers["www-authenticate"]), /^Basic /);
  }
  assert.equal(await status(refsOf(id), { authorization: `bearer ${token}` }), 200);
  assert.equal(await status(refsOf(id), basic(token, "some:body")), 401);

  const stranger = await api.token("owner", { access: api.other });
  assert.equal(await status(refsOf(id), basic(stranger)), 403);
  assert.equal(await status(refsOf(id), basic(await api.token("owner", { scopes: ["runs:read"] }))), 403);
  assert.equal(await status(refsOf(id).replace("/git/1/", "/git/2/"), basic(stranger)), 404);
  const { repository } = await api.store.repositories.add(api.home, {
    ...{ name: "new", fullName: "new", description: null, source: "/new", defaultBranch: "main" },
  });
  for (const path of [
    refsOf(repository.id),
    refsOf(999_999),
    refsOf("run-999999"),
    `/git/1/${id}.git`,
    `/git/1/${id}.git/`,
    `/git/1/${id}.git/HEAD`,
    `/git/1/${id}.git/objects/info/packs`,
    `/git/1/${id}.git/../${id}.git/HEAD`,
    `/git/1/${id}.git/git-upload-pack`,
    `/git/1/${id}.git/info/refs?service=git-upload-archive`,
    `/git/1/${id}`,
    "/git/",
    "/git/x/1.git/info/refs",
  ]) {
    assert.equal(await status(path, basic(token)), 404, path);
  }
  assert.equal(await status(`/git/1/${id}.git/info/refs`, basic(token)), 400);
  assert.equal(await status(refsOf(id), basic(token), "PUT"), 405);
  assert.equal(await status(`/git/1/${id}.git/git-receive-pack`, basic(token), "POST"), 403);

  const pushed = await client(source, "push", addressOf(id, token), "main:refs/heads/mine");
  assert.notEqual(pushed.code, 0);
  assert.match(pushed.stderr, /This mirror is read-only/);
  assert.equal(git(mirror, "for-each-ref", "--format=%(objectname)", "refs/remotes", "refs/heads"), commit);
  const unknown = await client(folder, "clone", addressOf(id, "errand_nonsense"), "unknown");
  assert.match(unknown.stderr, /Sign in with any user name, and a token as the password/);
});

test("a run without a repository is cloned from its own mirror; an empty one and a detached HEAD are served as they are", async (t) => {
  const folder = temporaryFolder(t);
  const token = await api.token();
  const run = await api.run();
  const path = mirrorPath(api.dataDir, `run-${run.id}`);
  await createMirror({ path, objectFormat: "sha256", env: testEnv });
  const empty = await client(folder, "clone", addressOf(`run-${run.id}`, token), "empty");
  assert.equal(empty.code, 0, empty.stderr);
  const made = commitOnRun(path, run.id);
  const cloned = await client(folder, "clone", addressOf(`run-${run.id}`, token), "clone");
  assert.equal(cloned.code, 0, cloned.stderr);
  assert.equal(made.length, 64);
  assert.equal(git(join(folder, "clone"), "rev-parse", "HEAD"), made);
  const without = await api.token("owner", { scopes: ["repos:read"] });
  assert.equal((await sendTo(front.port, refsOf(`run-${run.id}`), { headers: basic(without) })).status, 403);

  const source = join(folder, "detached");
  const { id, commit } = await mirrored(api, source);
  git(source, "checkout", "--quiet", "--detach");
  git(source, "branch", "-D", "main");
  await refetched(api, id, source);
  await api.store.repositories.setDefaultBranch(id, null);
  const detached = await client(folder, "clone", addressOf(id, token), "of-detached");
  assert.equal(detached.code, 0, detached.stderr);
  assert.equal(git(join(folder, "of-detached"), "rev-parse", "HEAD"), commit);
});

test("a source's branch whose name conflicts with a run's is left out, and the run's wins", async (t) => {
  const folder = temporaryFolder(t);
  const source = join(folder, "source");
  const { id, mirror, commit } = await mirrored(api, source);
  git(source, "branch", "errand");
  await refetched(api, id, source);
  const token = await api.token();
  const heads = async () => {
    const listed = await client(folder, "ls-remote", "--heads", addressOf(id, token));
    return listed.stdout.trim().split("\n").toSorted();
  };
  assert.deepEqual(await heads(), [`${commit}\trefs/heads/errand`, `${commit}\trefs/heads/main`].toSorted());
  const one = commitOnRun(mirror, 1);
  const two = commitOnRun(mirror, 2, "of two\n");
  const expected = [`${one}\trefs/heads/errand/run-1`, `${two}\trefs/heads/errand/run-2`, `${commit}\trefs/heads/main`];
  assert.deepEqual(await heads(), expected.toSorted());
  git(source, "branch", "-m", "errand", "aside");
  git(source, "branch", "errand/run-1");
  git(source, "branch", "errand/run-2/deeper");
  await refetched(api, id, source);
  assert.deepEqual(await heads(), [...expected, `${commit}\trefs/heads/aside`].toSorted());
  assert.equal((await client(folder, "clone", "--quiet", addressOf(id, token), "clone")).code, 0);
});

test("nothing of a mirror is executed, whatever its settings and hooks say", async (t) => {
  const folder = temporaryFolder(t);
  const { id, mirror } = await mirrored(api, join(folder, "source"));
  const mark = join(folder, "executed");
  const script = join(folder, "script");
  writeFileSync(script, `#!/bin/sh\ntouch '${mark}'\nexec "$@"\n`);
  chmodSync(script, 0o755);
  for (const place of [mirror, join(mirror, "errand/served")]) {
    mkdirSync(join(place, "hooks"), { recursive: true });
    for (const hook of ["post-checkout", "pre-upload", "post-upload", "reference-transaction", "pre-receive"]) {
      writeFiles(join(place, "hooks"), { [hook]: readFileSync(script) });
      chmodSync(join(place, "hooks", hook), 0o755);
    }
  }
  for (const name of ["uploadpack.packObjectsHook", "core.fsmonitor", "core.alternateRefsCommand", "core.pager"]) {
    git(mirror, "config", name, script);
  }
  const token = await api.token();
  const cloned = await client(folder, "clone", "--quiet", addressOf(id, token), "clone");
  assert.equal(cloned.code, 0, cloned.stderr);
  assert.equal(existsSync(mark), false);
});
