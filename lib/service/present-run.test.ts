import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { presentRun } from "./present-run.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

test("no tokens beside a cost are unknown tokens, not 0; figures that an agent has not reported are null", async () => {
  const made = await api.store.runs.create(api.home, plainRun("Look"));
  const shown = (costUsd: number | null, tokens: { input: number; output: number; total: number } | null) => {
    const run = presentRun({ ...made, costUsd, tokens }, { publicUrl: "http://errand.test", statusStyle: "errand" });
    return [run.tokens, run.cost_usd];
  };
  const none = { input: 0, output: 0, total: 0 };
  assert.deepEqual(shown(0.06, none), [null, 0.06]);
  assert.deepEqual(shown(0, none), [none, 0], "as another system reported it");
  assert.deepEqual(shown(null, null), [null, null]);
});
