import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiUnderTest, someEntries } from "#lib/web/api-under-test.ts";
import { share } from "#lib/web/shared-run.fixture.ts";
import { endId, lastSeen } from "./last-event-id.ts";

test("the id of an entry and of the end are read, nothing else", () => {
  assert.equal(lastSeen(null), null);
  // Browsers send it empty before the first event with an id.
  assert.equal(lastSeen(""), null);
  assert.deepEqual(lastSeen("12"), { seq: 12, hasEnded: false });
  assert.deepEqual(lastSeen(endId(12)), { seq: 12, hasEnded: true });
  for (const wrong of ["abc", "-1", "1.5", "end-", "end-x", "12 ", "1".repeat(10)]) {
    assert.throws(() => lastSeen(wrong), { code: "bad_request" }, wrong);
  }
});

test("a client that has seen the end gets nothing more, one that has not gets the rest", async (t) => {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const token = await api.token();
  const { run, lease } = await api.liveRun(someEntries(3));
  await api.finish(lease);
  const link = await share(api, run.id);
  const follow = (path: string, id: string) => api.ask("GET", path, { token, headers: { "last-event-id": id } });
  for (const path of [`/v1/organizations/1/agent/run/${run.id}/logs/stream`, `/v1/shares/${link.token}/logs/stream`]) {
    const whole = await api.ask("GET", path, { token });
    const [end = ""] = whole.text.match(/(?<=event: end\nid: ).*/) ?? [];
    const over = await follow(path, end);
    assert.deepEqual([over.status, over.text], [204, ""], path);
    const rest = await follow(path, "2");
    assert.equal(rest.status, 200);
    assert.deepEqual(
      rest.text
        .match(/^id: .*/gm)
        ?.map((line) => line.slice(4))
        .slice(-1),
      [end],
    );
    assert.equal((await follow(path, endId(1))).status, 200, "the end of an earlier turn is not the last");
    assert.equal((await follow(path, "abc")).status, 400);
  }
});
