import assert from "node:assert/strict";
import { test } from "node:test";
import type { Send } from "#lib/host/call-host.ts";
import { gitlabChecks } from "./checks.ts";

test("a server that always names a next page is not read for ever", async () => {
  let pages = 0;
  const send: Send = async ({ url }) => {
    const isList = url.includes("/statuses?");
    if (isList) pages += 1;
    assert.ok(pages <= 10, "it reads on");
    const body = Buffer.from(isList ? "[]" : JSON.stringify({ sha: null }));
    return { status: 200, headers: { "x-next-page": "2" }, body, complete: true };
  };
  const call = { title: "GitLab", send, headers: {} };
  const of = { commit: "1".repeat(40), number: 1, etag: null };
  assert.deepEqual((await gitlabChecks(call, "https://gitlab.test/api/v4/projects/1", of)).checks, []);
  assert.equal(pages, 10);
});
