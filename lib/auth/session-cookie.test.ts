import assert from "node:assert/strict";
import { test } from "node:test";
import { findSessionSecret, mintSession, sessionCookie } from "./session-cookie.ts";

test("a session's cookie is found among others, and only in its own form", () => {
  const { secret } = mintSession();
  assert.equal(findSessionSecret(`errand_session=${secret}`), secret);
  assert.equal(findSessionSecret(`theme=dark; errand_session=${secret}; other=1`), secret);
  for (const cookie of [
    null,
    "",
    "errand_session=",
    "errand_session=short",
    `x_errand_session=${secret}`,
    `errand_session=${secret}x`,
  ]) {
    assert.equal(findSessionSecret(cookie), null, String(cookie));
  }
});

test("a session's cookie is out of reach of scripts and other sites, and of plain http if the service has https", () => {
  assert.equal(
    sessionCookie("abc", "http://localhost:3000"),
    "errand_session=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax",
  );
  assert.match(sessionCookie("abc", "https://errand.example.com"), /; Secure$/);
  assert.match(sessionCookie(null, "http://localhost"), /^errand_session=; Path=\/; Max-Age=0;/);
});
