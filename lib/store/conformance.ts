import { describe } from "node:test";
import { entryConformance } from "./conformance-entries.ts";
import { externalConformance } from "./conformance-external.ts";
import { factsConformance } from "./conformance-facts.ts";
import type { OpenStore } from "./conformance-fixture.ts";
import { idempotencyConformance } from "./conformance-idempotency.ts";
import { outlineConformance } from "./conformance-outline.ts";
import { peopleConformance } from "./conformance-people.ts";
import { queueConformance } from "./conformance-queue.ts";
import { runTimesConformance } from "./conformance-run-times.ts";
import { runConformance } from "./conformance-runs.ts";
import { shareConformance } from "./conformance-shares.ts";

/** States, as tests, what every store must do. `open` gives a new, empty store at every call. */
export function storeConformance(name: string, open: OpenStore): void {
  describe(`${name}: people, repositories, tokens`, () => peopleConformance(open));
  describe(`${name}: runs`, () => runConformance(open));
  describe(`${name}: times of runs`, () => runTimesConformance(open));
  describe(`${name}: entries`, () => entryConformance(open));
  describe(`${name}: facts of entries`, () => factsConformance(open));
  describe(`${name}: outline`, () => outlineConformance(open));
  describe(`${name}: external runs`, () => externalConformance(open));
  describe(`${name}: keys of callers`, () => idempotencyConformance(open));
  describe(`${name}: links`, () => shareConformance(open));
  describe(`${name}: queue`, () => queueConformance(open));
}
