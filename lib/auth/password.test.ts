import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#lib/contract/error.ts";
import { passwordsAt } from "./password.ts";

const { hash, verify } = passwordsAt({ N: 2 ** 10, r: 8, p: 1 });

test("a password matches its hash, which contains its parameters and never repeats", async () => {
  const [one, other] = await Promise.all([hash("correct horse"), hash("correct horse")]);
  assert.match(one, /^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  assert.notEqual(one, other);
  assert.equal(await verify("correct horse", one), true);
  assert.equal(await verify("correct horsf", one), false);
  assert.equal(await verify("", one), false);
});

test("characters that look the same count as the same, however they were typed", async () => {
  const kept = await hash("caf\u00e9 au lait");
  assert.equal(await verify("cafe\u0301 au lait", kept), true);
});

test("without an account, or with an invalid hash, the result is false after the same work", async () => {
  const { hash, verify } = passwordsAt({ N: 2 ** 14, r: 8, p: 1 });
  const kept = await hash("correct horse");
  const time = async (stored: string | null) => {
    const since = performance.now();
    assert.equal(await verify("wrong password", stored), false);
    return performance.now() - since;
  };
  const [known, unknown, broken] = [await time(kept), await time(null), await time("scrypt$nonsense")];
  // They differ much only if one of them does no work at all, which takes less than a millisecond.
  for (const each of [unknown, broken]) assert.ok(each > known / 10, `${each} ms beside ${known} ms`);
});

test("beyond the number that may wait, a password is refused for now, and waiting ones are answered", async () => {
  const all = await Promise.allSettled(Array.from({ length: 110 }, () => hash("correct horse")));
  const refused = all.filter((one) => one.status === "rejected");
  assert.equal(refused.length, 8);
  for (const { reason } of refused) {
    assert.ok(reason instanceof ApiError);
    assert.deepEqual([reason.status, reason.headers["retry-after"]], [503, "3"]);
  }
  assert.equal(await verify("correct horse", await hash("correct horse")), true);
});
