import { z } from "zod";
import { HostThread } from "./host.ts";

/** A message that a person wrote on a host: the parts of an event that a run needs. */
export const HostEvent = z.object({
  /** Where it was said: in the description of an issue or a pull request or below it, in a review, or at a line. */
  kind: z.enum(["issue", "pull", "review", "thread"]),
  /** Identifies the message within the host: the same for every delivery of it. */
  key: z.string(),
  thread: HostThread,
  /** Title of the issue or pull request. */
  title: z.string(),
  /** Text at the top of the issue or pull request, unless that is the message itself; null if there is none. */
  opening: z.object({ author: z.string(), body: z.string() }).nullable(),
  author: z.object({ id: z.int(), login: z.string(), isBot: z.boolean() }),
  body: z.string(),
  /** When it was written, or last changed, by the host's clock: no later than the host sent the event. Null if it does not say. */
  saidAt: z.string().nullable().default(null),
  url: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
  /** A review's verdict on the pull request; null for everything else. */
  verdict: z.enum(["approved", "changes_requested", "commented"]).nullable().default(null),
  /** The host's id of the review that this is, or belongs to; null if there is none, or the host does not say. */
  reviewId: z.string().nullable().default(null),
  /** It does not mention the service, so it only concerns the run that works on this pull request. */
  ownOnly: z.boolean().default(false),
});
export type HostEvent = z.infer<typeof HostEvent>;

type Rare = "path" | "line" | "verdict" | "reviewId" | "ownOnly";

/** An event of these parts; what is left out does not apply to it. */
export function hostEvent(parts: Omit<HostEvent, Rare> & Partial<HostEvent>): HostEvent {
  return { path: null, line: null, verdict: null, reviewId: null, ownOnly: false, ...parts };
}

/** A text in an event: empty if the host sends null. */
export const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

/** Times in an event; `submitted_at`: of a review. */
export const Times = {
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  submitted_at: z.string().nullish(),
};

/** How long after a message was written its event is accepted, in milliseconds. Received messages are remembered for longer. */
export const messageLifeMs = 30 * 24 * 3_600_000;
/** How far a host's clock may differ from this one's. */
const skewMs = 300_000;

/**
 * Why the event may be a replay of an earlier one by somebody who intercepted it, or null. GitHub and Forgejo sign no time of
 * sending, and received messages are remembered only for a time, and forgotten when the integration is removed (`connectedAt`:
 * when it was connected). So a message must be newer than both.
 */
export function replayOf({ saidAt }: HostEvent, connectedAt: string, nowMs: number): string | null {
  if (saidAt === null) return "does not say when it was written";
  const saidMs = Date.parse(saidAt) + skewMs;
  if (saidMs < Date.parse(connectedAt)) return "was written before Errand was connected";
  return saidMs < nowMs - messageLifeMs ? "was written more than 30 days ago" : null;
}

/** The latest of the times as hosts write them (`2026-11-23T10:00:00Z`, `2026-11-23 10:00:00 UTC`); null if there is none. */
export function latestOf(...times: (string | null | undefined)[]): string | null {
  const known = times.map((time) => Date.parse(time ?? "")).filter((ms) => !Number.isNaN(ms));
  return known.length === 0 ? null : new Date(Math.max(...known)).toISOString();
}

/** Key of a conversation: everything said in one issue or pull request belongs together. */
export function conversationOf({ repository, subject, number }: HostThread): string {
  return `${repository.toLowerCase()}/${subject}/${number}`;
}
