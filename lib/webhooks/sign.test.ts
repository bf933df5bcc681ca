import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { newWebhookSecret, webhookSignature } from "./sign.ts";

test("an independent verifier accepts what any secret signs: decoded if it is a standard one, else as it is", () => {
  const body = '{"a":1}';
  const at = Math.floor(Date.now() / 1000);
  const standard = [newWebhookSecret(), `whsec_${Buffer.alloc(24, 9).toString("base64")}`];
  const plain = ["my plain secret", "whsec_abc", "whsec_not base64", "x", "whsec_"];
  for (const secret of [...standard, ...plain]) {
    const verifier = standard.includes(secret) ? new Webhook(secret) : new Webhook(secret, { format: "raw" });
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(at),
      "webhook-signature": webhookSignature([secret], "msg_1", at, body),
    };
    assert.deepEqual(verifier.verify(body, headers), { a: 1 }, secret);
  }
});

test("a secret of other alphabets signs with its bytes in UTF-8", () => {
  const secret = "geheim: Grüße 世界";
  const signed = createHmac("sha256", Buffer.from(secret, "utf8")).update("msg_1.7.{}").digest("base64");
  assert.equal(webhookSignature([secret], "msg_1", 7, "{}"), `v1,${signed}`);
});
