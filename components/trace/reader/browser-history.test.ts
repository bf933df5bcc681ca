import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { replaceGlobals } from "#components/feed/frames.fixture.ts";
import { browserHistory, replaceAddress } from "./browser-history.ts";

/** A page whose history is patched by Next: what has no state of Next's gets it, and its address is followed. */
function openPage(t: TestContext) {
  const next = { __NA: true };
  const followed: string[] = [];
  const history = {
    state: next as Record<string, unknown>,
    replaceState: (data: Record<string, unknown> | null, _unused: string, address?: string) => {
      history.state = { ...data, ...next };
      if (address !== undefined && data?.__NA === undefined) followed.push(address);
    },
  };
  replaceGlobals(t, { window: { history, location: { pathname: "/runs/1", search: "" } } });
  return { history, followed };
}

test("a new address keeps the reader's place and is followed by the page", (t) => {
  const { history, followed } = openPage(t);
  const { read, keep } = browserHistory();
  read();
  keep(500, "");
  replaceAddress("?find=x");
  assert.equal(read(), 500);
  keep("end", "");
  replaceAddress("?entry=7");
  assert.equal(read(), "end");
  assert.deepEqual(followed, ["?find=x", "?entry=7"]);
  assert.deepEqual(history.state, { __NA: true, errandPlace: "end" });
});

test("a new address alone is no place", (t) => {
  const { followed } = openPage(t);
  replaceAddress("?entry=7");
  assert.equal(browserHistory().read(), null);
  assert.deepEqual(followed, ["?entry=7"]);
});
