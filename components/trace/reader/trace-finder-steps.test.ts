import assert from "node:assert/strict";
import { test } from "node:test";
import { hitsOf, ledTo, startFinding } from "./finding.fixture.ts";
import { answered } from "./reading.fixture.ts";
import type { TraceFinder } from "./trace-finder.ts";

test("steps within the loaded hits need no request", async () => {
  const finding = startFinding();
  const { finder, found, asked } = finding;
  finder.open("error");
  found(hitsOf([500, 600, 700], { skip: 3, of: 9 }));
  const passed: unknown[] = [];
  for (const direction of ["next", "next", "previous"] as const) {
    await finder.step(direction);
    passed.push([ledTo(finding), finder.rank]);
  }
  assert.deepEqual(
    [passed, asked],
    [
      [
        [600, 4],
        [700, 5],
        [600, 4],
      ],
      [],
    ],
  );
});

test("a step past the loaded hits requests the next ones, and a step back the previous ones", async () => {
  const finding = startFinding();
  const { finder, found, asked } = finding;
  finder.open("error");
  found(hitsOf([500], { skip: 30, of: 90 }));
  const next = finder.step("next");
  assert.deepEqual([asked[0]?.from, finder.snapshot.isStepping], [{ around: 501 }, true]);
  asked[0]?.resolve(hitsOf([600, 610], { skip: 31, of: 90 }));
  await next;
  assert.deepEqual([ledTo(finding), finder.rank, finder.snapshot.isStepping], [600, 31, false]);
  const back = finder.step("previous");
  assert.deepEqual([asked[1]?.from, asked[1]?.limit], [{ skip: 11 }, 20]);
  asked[1]?.resolve(hitsOf([480, 500], { skip: 29, of: 90 }));
  await back;
  assert.deepEqual([ledTo(finding), finder.rank], [500, 30]);
});

test("a step back waits for the rank if it is not known yet", async () => {
  const finding = startFinding();
  const { finder, found, asked } = finding;
  finder.open("error");
  found({ ...hitsOf([500], { complete: false }), skip: null });
  const back = finder.step("previous");
  assert.deepEqual([asked[0]?.from, asked[0]?.limit], [{ around: 500 }, 1]);
  asked[0]?.resolve(hitsOf([500], { skip: 1, of: 40 }));
  await answered();
  assert.deepEqual(asked[1]?.from, { skip: 0 });
  asked[1]?.resolve(hitsOf([20], { skip: 0, of: 40 }));
  await back;
  assert.equal(ledTo(finding), 20);
});

test("after the last hit comes the first, with a notice, and before the first the last", async () => {
  const finding = startFinding();
  const { finder, found, asked } = finding;
  finder.open("error");
  found(hitsOf([500, 600]));
  await finder.step("next");
  assert.equal(finder.snapshot.wrapped, null);
  await finder.step("next");
  assert.deepEqual([ledTo(finding), finder.snapshot.wrapped], [500, "next"]);
  const back = finder.step("previous");
  asked[0]?.resolve(hitsOf([500, 600]));
  await back;
  assert.deepEqual([ledTo(finding), finder.snapshot.wrapped], [600, "previous"]);
  await finder.step("previous");
  assert.equal(finder.snapshot.wrapped, null);
});

test("a key held down sends one request at a time", async () => {
  const { finder, found, asked } = startFinding();
  finder.open("error");
  found(hitsOf([500], { of: 90 }));
  for (let press = 0; press < 3; press += 1) void finder.step("next");
  assert.equal(asked.length, 1);
  asked[0]?.resolve(hitsOf([600], { skip: 1, of: 90 }));
  await answered();
  void finder.step("next");
  assert.equal(asked.length, 2);
});

test("a step overtaken by another text, another filter or closing moves nothing", async () => {
  const overtaken: Record<string, (finder: TraceFinder) => void> = {
    text: (finder) => finder.open("warning"),
    filter: (finder) => finder.setFilter({ errors: "true" }),
    closing: (finder) => finder.close(),
  };
  for (const [name, act] of Object.entries(overtaken)) {
    const finding = startFinding();
    const { finder, found, asked, list } = finding;
    finder.open("error");
    found(hitsOf([500], { of: 90 }));
    const step = finder.step("next");
    act(finder);
    list.news();
    asked[0]?.resolve(hitsOf([600], { skip: 1, of: 90 }));
    await step;
    const { isStepping, stepError } = finder.snapshot;
    assert.deepEqual([asked[0]?.signal.aborted, list.news(), isStepping, stepError], [true, [], false, null], name);
  }
});

test("the error of a failed step is shown until the next step", async () => {
  const { finder, found, asked } = startFinding();
  finder.open("error");
  found(hitsOf([500], { of: 90 }));
  const step = finder.step("next");
  asked[0]?.reject(new Error("unreachable"));
  await step;
  assert.deepEqual([finder.snapshot.stepError?.message, finder.snapshot.isStepping], ["unreachable", false]);
  void finder.step("next");
  assert.equal(finder.snapshot.stepError, null);
});
