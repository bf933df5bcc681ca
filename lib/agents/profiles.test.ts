import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { builtInProfiles, defaultAgent, readyInOrder } from "./profiles.ts";

test("every profile says how it becomes ready, and names none of Errand's variables but the built-in agent's folder", () => {
  for (const { id, installHint, passEnv, env, hasModel, homeVariable } of builtInProfiles) {
    assert.equal(/^Install it with `npm install -g [^`]+`/.test(installHint), hasModel, id);
    const named = [...passEnv, ...Object.keys(env)];
    assert.ok(!named.some((name) => name.startsWith("ERRAND_")), id);
    assert.equal(homeVariable, id === "steps" ? "ERRAND_STEPS_STATE" : null, id);
  }
  const steps = builtInProfiles.find(({ id }) => id === "steps");
  assert.ok(steps?.command.every((part) => existsSync(part)));
});

test("the default agent is the first that is ready, one with a model before one without", () => {
  const agent = (id: string, ready: boolean, has_model: boolean) => ({ id, ready, has_model });
  const found = [agent("a", false, true), agent("steps", true, false), agent("b", true, true), agent("c", true, true)];
  assert.deepEqual(
    readyInOrder(found).map(({ id }) => id),
    ["b", "c", "steps"],
  );
  assert.equal(defaultAgent(found)?.id, "b");
  assert.equal(defaultAgent(found.slice(0, 2))?.id, "steps");
  assert.equal(defaultAgent(found.slice(0, 1)), null);
});

test("the README names each agent with the packages to install and every key it takes", () => {
  const rows = readFileSync(new URL("../../README.md", import.meta.url), "utf8").split("\n");
  for (const { id, install, keys, hasModel } of builtInProfiles) {
    if (!hasModel) continue;
    const row = rows.find((line) => line.startsWith("|") && line.includes(`(\`${id}\`)`)) ?? "";
    const named = [...row.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);
    assert.deepEqual(named.toSorted(), keys.map(({ variable }) => variable).toSorted(), id);
    assert.ok(row.includes(`\`${String(install).replace("npm install -g ", "")}\``), id);
  }
});
