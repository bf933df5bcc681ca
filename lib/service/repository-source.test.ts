import assert from "node:assert/strict";
import { test } from "node:test";
import { shownSource } from "#lib/shown-source.ts";
import { normalizedSource } from "./repository-source.ts";

test("each source has one spelling", () => {
  for (const source of [
    "/srv/a b",
    "/srv/a b/",
    "/srv//a b",
    "/srv/x/../a b/.",
    " /srv/a b\n",
    "file:///srv/a%20b",
    "FILE:/srv/a b/",
  ]) {
    assert.equal(normalizedSource(source), "/srv/a b");
  }
  assert.equal(normalizedSource("/"), "/");
  for (const invalid of ["file://elsewhere/srv", "file:///a%2Fb"]) assert.equal(normalizedSource(invalid), invalid);
  assert.equal(normalizedSource(" https://host/a//b "), "https://host/a//b");
});

test("no password or token of an address is shown", () => {
  for (const [source, shown] of [
    ["https://user:secret@host/a.git", "https://***@host/a.git"],
    ["https://ghp_token@host/a@b", "https://***@host/a@b"],
    ["HTTP://a:b@c:p@host/a", "HTTP://***@host/a"],
    ["ssh://git@host:22/a", "ssh://git@host:22/a"],
    ["ssh://git:secret@host/a", "ssh://git:***@host/a"],
    ["git@host:a/b", "git@host:a/b"],
    ["https://host/a", "https://host/a"],
    ["/srv/a:b@c", "/srv/a:b@c"],
  ] as const) {
    assert.equal(shownSource(source), shown);
  }
});
