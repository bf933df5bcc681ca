import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

test("a key that is a common word is saved with a warning, which the list repeats", async (t) => {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const token = await api.token("admin");
  const put = async (value: string) => {
    const body = { variable: "SOME_KEY", value };
    return (await api.asked("PUT", "/v1/organizations/1/keys", { token, body })).json.warning;
  };
  const listed = async () => {
    const { json } = await api.asked("GET", "/v1/organizations/1/keys", { token });
    return (json.items as { warning: unknown }[]).map(({ warning }) => warning);
  };
  for (const word of ["password", "workspace"]) {
    assert.match(String(await put(word)), /^It is a common word: it is masked wherever it occurs/);
    assert.match(String((await listed())[0]), /common word/);
  }
  assert.equal(await put("sk-real-7Gk2pXv9QmTf5hJ3wB4c"), null);
  assert.deepEqual(await listed(), [null]);
});
