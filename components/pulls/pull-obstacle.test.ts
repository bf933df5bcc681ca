import assert from "node:assert/strict";
import { test } from "node:test";
import type { PullSettings, PullTarget } from "#lib/contract/repositories/pull-settings.ts";
import { obstacleOf } from "./pull-obstacle.ts";

type Target = Pick<PullTarget, "kind" | "type" | "connected">;
const host: Target = { kind: "host", type: "gitlab", connected: true };
const cases: [mode: PullSettings["mode"], target: Target, isEnabled: boolean, title: string | null, href?: string][] = [
  ["manual", host, true, null],
  ["automatic", host, true, null],
  ["manual", { kind: "remote", type: null, connected: false }, true, null],
  ["manual", { kind: "folder", type: null, connected: false }, true, null],
  ["manual", { ...host, connected: false }, true, "GitLab is not connected", "/settings/integrations"],
  [
    "off",
    { ...host, connected: false },
    true,
    "Pull requests are turned off for this repository",
    "/repositories/7#pull-requests-heading",
  ],
  ["off", host, false, "Pull requests are turned off for this organization", "/settings/organization"],
];

for (const [mode, target, isEnabled, title, href] of cases) {
  test(`mode ${mode}, ${JSON.stringify(target)}, ${isEnabled ? "on" : "off"}: ${title ?? "nothing in the way"}`, () => {
    const obstacle = obstacleOf({ repoId: 7, settings: { mode, target }, isEnabled });
    assert.deepEqual([obstacle?.title ?? null, obstacle?.place.href], [title, href]);
  });
}
