import { describe } from "node:test";
import { analysisConformance } from "./conformance-analyses.ts";
import { analysisRunConformance } from "./conformance-analysis-runs.ts";
import { answerConformance } from "./conformance-answers.ts";
import { auditConformance } from "./conformance-audit.ts";
import { claudeSessionConformance } from "./conformance-claude-sessions.ts";
import { conversationConformance } from "./conformance-conversations.ts";
import { entryConformance } from "./conformance-entries.ts";
import { externalConformance } from "./conformance-external.ts";
import { factsConformance } from "./conformance-facts.ts";
import type { OpenStore } from "./conformance-fixture.ts";
import { idempotencyConformance } from "./conformance-idempotency.ts";
import { integrationConformance } from "./conformance-integrations.ts";
import { linkConformance } from "./conformance-links.ts";
import { memberConformance } from "./conformance-members.ts";
import { outlineConformance } from "./conformance-outline.ts";
import { peopleConformance } from "./conformance-people.ts";
import { queueConformance } from "./conformance-queue.ts";
import { runTimesConformance } from "./conformance-run-times.ts";
import { runConformance } from "./conformance-runs.ts";
import { setupConformance } from "./conformance-setups.ts";
import { shareConformance } from "./conformance-shares.ts";
import { turnConformance } from "./conformance-turns.ts";

/** States, as tests, what every store must do. `open` gives a new, empty store at every call. */
export function storeConformance(name: string, open: OpenStore): void {
  describe(`${name}: people, repositories, tokens`, () => peopleConformance(open));
  describe(`${name}: audit log`, () => auditConformance(open));
  describe(`${name}: members, invitations, accounts`, () => memberConformance(open));
  describe(`${name}: runs`, () => runConformance(open));
  describe(`${name}: turns that have not begun`, () => turnConformance(open));
  describe(`${name}: answers`, () => answerConformance(open));
  describe(`${name}: times of runs`, () => runTimesConformance(open));
  describe(`${name}: entries`, () => entryConformance(open));
  describe(`${name}: facts of entries`, () => factsConformance(open));
  describe(`${name}: outline`, () => outlineConformance(open));
  describe(`${name}: external runs`, () => externalConformance(open));
  describe(`${name}: sessions of Claude Code`, () => claudeSessionConformance(open));
  describe(`${name}: analyses of runs`, () => analysisRunConformance(open));
  describe(`${name}: keys of callers`, () => idempotencyConformance(open));
  describe(`${name}: links`, () => shareConformance(open));
  describe(`${name}: setups`, () => setupConformance(open));
  describe(`${name}: conversations`, () => conversationConformance(open));
  describe(`${name}: links of people`, () => linkConformance(open));
  describe(`${name}: integrations`, () => integrationConformance(open));
  describe(`${name}: analyses`, () => analysisConformance(open));
  describe(`${name}: queue`, () => queueConformance(open));
}
