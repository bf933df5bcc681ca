import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { isSentByGitlab, isSignedByForgejo, isSignedByGithub } from "./signatures.ts";

const body = Buffer.from('{"a":1}');
const of = (headers: Record<string, string>) => (name: string) => headers[name] ?? null;

test("GitLab's signed events are checked as Standard Webhooks says, within five minutes", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const at = new Date("2026-11-22T12:00:00.000Z");
  const signature = new Webhook(secret).sign("msg_1", at, body.toString());
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(at.getTime() / 1000),
    "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")} ${signature}`,
  };
  const is = (changes: Record<string, string>, ms = 0, bytes = body) =>
    isSentByGitlab(of({ ...headers, ...changes }), bytes, secret, at.getTime() + ms);
  assert.equal(is({}), true);
  assert.equal(is({}, 300_000), true);
  assert.equal(is({}, 301_000), false);
  assert.equal(is({}, -301_000), false);
  assert.equal(is({ "webhook-id": "msg_2" }), false);
  assert.equal(is({ "webhook-timestamp": String(at.getTime() / 1000 + 1) }), false);
  assert.equal(is({ "webhook-timestamp": "now" }), false);
  assert.equal(is({ "webhook-signature": signature.replace("v1,", "v2,") }), false);
  assert.equal(is({ "webhook-signature": "" }), false);
  assert.equal(is({}, 0, Buffer.from('{"a":2}')), false);
  const token = of({ "x-gitlab-token": secret });
  assert.equal(
    isSentByGitlab(token, body, secret, at.getTime()),
    false,
    "a secret for signing is never taken as a token",
  );
});

test("a plain token of GitLab must be the whole secret", () => {
  const is = (token: string) => isSentByGitlab(of({ "x-gitlab-token": token }), body, "plain-secret", 0);
  assert.deepEqual(["plain-secret", "plain-secre", "plain-secret ", ""].map(is), [true, false, false, false]);
  assert.equal(isSentByGitlab(of({}), body, "plain-secret", 0), false);
});

test("a signature in another form, cut or with another secret is not accepted", () => {
  const hex = createHmac("sha256", "s").update(body).digest("hex");
  const github = (value: string, secret = "s") => isSignedByGithub(of({ "x-hub-signature-256": value }), body, secret);
  assert.equal(github(`sha256=${hex}`), true);
  for (const value of ["", "sha256=", `sha256=${hex.slice(1)}`, `sha256=${hex}0`, `sha256=${"z".repeat(64)}`]) {
    assert.equal(github(value), false, value);
  }
  assert.equal(github(`sha256=${hex}`, "t"), false);
  assert.equal(isSignedByForgejo(of({ "x-gitea-signature": hex }), body, "s"), true);
  assert.equal(isSignedByForgejo(of({ "x-forgejo-signature": "", "x-gitea-signature": hex }), body, "s"), false);
});
