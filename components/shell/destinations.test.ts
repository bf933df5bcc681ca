import assert from "node:assert/strict";
import { test } from "node:test";
import { findCurrentDestination, mainDestinations } from "./destinations.ts";

test("a path belongs to the destination with the longest section around it", () => {
  const labelOf = (pathname: string) => findCurrentDestination(pathname, mainDestinations)?.label ?? null;
  assert.equal(labelOf("/runs"), "Runs");
  assert.equal(labelOf("/runs/12"), "Runs");
  assert.equal(labelOf("/runs/new"), "New run");
  assert.equal(labelOf("/search"), "Search");
  assert.equal(labelOf("/settings/members"), "Settings");
  assert.equal(labelOf("/runsheet"), null);
  assert.equal(labelOf("/login"), null);
});
