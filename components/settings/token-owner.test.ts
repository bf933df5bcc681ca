import assert from "node:assert/strict";
import { test } from "node:test";
import { ownersOf } from "./token-owner.ts";

const token = (id: number, user_id: number, user_name: string | null) => ({
  id,
  user_id,
  user_name,
  name: "ci",
  role: "member" as const,
  scopes: [],
  status_style: "errand" as const,
  hint: "abcd",
  created_at: "2026-01-31T12:00:00.000Z",
  expires_at: null,
  last_used_at: null,
});

test("a list with several people's tokens names each owner; a list of one's own does not", () => {
  assert.equal(ownersOf([], 1), null);
  assert.equal(ownersOf([token(3, 1, "Ada"), token(2, 1, "Ada")], 1), null);
  const owners = ownersOf([token(4, 2, "Grace"), token(3, 1, "Ada"), token(2, 7, null)], 1);
  assert.deepEqual(
    [...(owners ?? [])],
    [
      [4, "Grace"],
      [3, "You"],
      [2, "Person 7"],
    ],
  );
  assert.deepEqual([...(ownersOf([token(4, 2, "Grace")], 1) ?? [])], [[4, "Grace"]]);
});
