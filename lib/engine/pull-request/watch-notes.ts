import { z } from "zod";
import type { PullRow } from "#lib/store/pulls/pull-rows.ts";

/** The engine's notes about a pull request between its steps; `…Ms` are times in milliseconds. */
export const WatchNotes = z.object({
  /** Somebody asked for it: its checks are looked at even if nothing is new. */
  asked: z.boolean().optional(),
  /** What they gave with their request: an open pull request is changed accordingly. */
  given: z.array(z.enum(["title", "body", "draft"])).optional(),
  /** The commit that the work started from. */
  base: z.string().nullable().optional(),
  pushedMs: z.number().optional(),
  /** When the next look is due, and since when a check could have been seen: without time in which nobody looked. */
  dueMs: z.number().optional(),
  awaitedMs: z.number().optional(),
  /** How often this commit was pushed again because the host showed an older one. */
  pushedAgain: z.number().optional(),
  /** Number of looks at the checks, their state, and since when it is unchanged. */
  looks: z.number().optional(),
  /** Time of the last look: events from the host bring the next look forward, but not at once. */
  lookedMs: z.number().optional(),
  seen: z.string().optional(),
  changedMs: z.number().optional(),
  etag: z.string().nullable().optional(),
  /** The commit that the repository's own commands are to check. */
  toTest: z.string().optional(),
  /** Results of the repository's own commands on a commit; `problem`: why they could not be run. */
  tested: z
    .object({
      commit: z.string(),
      problem: z.string().nullable(),
      checks: z.array(
        z.object({
          name: z.string(),
          conclusion: z.enum(["success", "failure", "timed_out"]),
          startedAt: z.iso.datetime(),
          completedAt: z.iso.datetime(),
          excerpt: z.string(),
        }),
      ),
    })
    .optional(),
});
export type WatchNotes = z.infer<typeof WatchNotes>;

/** The notes of a pull request; empty if another version wrote something else. */
export function notesOf({ watch }: Pick<PullRow, "watch">): WatchNotes {
  return WatchNotes.safeParse(watch).data ?? {};
}

/** The notes without times after now, which a clock that was set back leaves: nothing waits until it gets there again. */
export function untilNow(notes: WatchNotes, nowMs: number): WatchNotes {
  const { pushedMs, awaitedMs, lookedMs, changedMs } = notes;
  return {
    ...notes,
    ...(pushedMs === undefined ? {} : { pushedMs: Math.min(pushedMs, nowMs) }),
    ...(awaitedMs === undefined ? {} : { awaitedMs: Math.min(awaitedMs, nowMs) }),
    ...(lookedMs === undefined ? {} : { lookedMs: Math.min(lookedMs, nowMs) }),
    ...(changedMs === undefined ? {} : { changedMs: Math.min(changedMs, nowMs) }),
  };
}
