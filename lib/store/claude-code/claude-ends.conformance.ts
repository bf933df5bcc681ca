import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenStore } from "#lib/store/conformance.fixture.ts";
import { openSession, prompt, words } from "./claude.fixture.ts";

export function claudeEndsConformance(open: OpenStore): void {
  test("an error or a cancellation after COMPLETE is the end of the same turn; after an end by a person it is not", async (t) => {
    for (const [status, expected] of [
      ["ERROR", "failed"],
      ["CANCELLED", "cancelled"],
    ] as const) {
      const { store, access, runId, take, report, log } = await openSession(t, open);
      const about = async () => {
        const run = await store.runs.find(access, runId);
        return [run?.status, run?.turns, run?.result, run?.resultTurn];
      };
      await take(prompt("One"), words("Done"));
      await report("COMPLETE");
      assert.deepEqual(await about(), ["completed", 1, "Done", 1]);
      await report(status);
      assert.deepEqual(await about(), [expected, 1, "Done", 1]);
      const types = (await log()).map(([type]) => type);
      assert.deepEqual(types, ["USER_MESSAGE", "FINAL_ANSWER", status === "ERROR" ? "ERROR" : "USER_MESSAGE"]);
      assert.deepEqual(
        (await store.runs.findTimes(access, runId, 10)).turns.map((turn) => turn.status),
        [expected],
      );
      // What was said last counts, but an end that is no success stays.
      await report("COMPLETE");
      await report(status);
      assert.deepEqual([(await about())[0], (await log()).length], [expected, 3]);
      await take(prompt("Two"));
      assert.deepEqual((await about()).slice(0, 2), ["running", 2]);
      await store.runs.cancel(access, runId);
      await report("COMPLETE");
      await report("ERROR");
      assert.deepEqual((await about()).slice(0, 2), ["cancelled", 2]);
    }
  });
}
