import assert from "node:assert/strict";
import test from "node:test";
import { invitationCodeOf, loginPath, safeNextPath } from "./login-path.ts";

test("the path to return to survives the sign-in page", () => {
  const path = loginPath("/runs/7?tab=diff&q=a b");
  assert.equal(safeNextPath(new URL(path, "http://x").searchParams.get("next")), "/runs/7?tab=diff&q=a%20b");
  assert.equal(loginPath("/runs"), "/login");
});

test("it never leads to another site", () => {
  const foreign = [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "javascript:alert(1)",
    "runs",
    "",
    null,
    undefined,
    "/login?next=/login",
  ];
  for (const next of foreign) assert.equal(safeNextPath(next), "/runs", String(next));
});

test("the page of an invitation has its code, and no other page has one", () => {
  assert.equal(invitationCodeOf("/invite/aB3_-x"), "aB3_-x");
  for (const path of ["/runs", "/invite/", "/invite/a/b", "/x/invite/a"])
    assert.equal(invitationCodeOf(path), null, path);
});
