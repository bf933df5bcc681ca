import { cutText } from "#lib/cut-text.ts";
import { runTitle } from "#lib/entry/run-title.ts";
import { fenced } from "#lib/fenced.ts";
import type { ReplyPlace } from "#lib/host/incoming-message.ts";
import type { Announcement } from "#lib/store/integrations/announcements.ts";
import { type ConversationParts, maskFor } from "./parts.ts";
import { heldText } from "./words.ts";

/** Older moments are not announced. */
const newsMs = 24 * 3_600_000;

/** Informs the people who wait for a held turn that it has not started. */
export async function announceHeld({ store, origin }: ConversationParts): Promise<void> {
  for (const held of await store.announcements.findHeld()) {
    await store.announcements.note(held, held.place, heldText(held.runStatus, `${await origin()}/runs/${held.runId}`));
  }
}

/** Stores the announcements for Slack channels: runs that ended, or that wait for an answer. */
export async function announce(parts: ConversationParts): Promise<void> {
  const { store, origin, now } = parts;
  for (const integration of await store.integrations.listAnnouncing()) {
    const { channel, notify_finished, notify_waiting } = integration.settings;
    if (channel === null || (!notify_finished && !notify_waiting)) continue;
    const sinceMs = Math.max(Date.parse(integration.changedAt), now().getTime() - newsMs);
    const place: ReplyPlace = { from: "slack", channel, threadTs: null };
    const wanted = { finished: notify_finished, waiting: notify_waiting };
    for (const announcement of await store.announcements.find(integration, wanted, sinceMs)) {
      const mask = await maskFor(parts, integration, announcement.runId);
      await store.announcements.note(announcement, JSON.stringify(place), textOf(announcement, await origin(), mask));
    }
  }
}

const titleMax = 120;
const resultMax = 500;
/** Longer, because people answer what they read here: all of it but long texts, which the link to the run leads to. */
const questionMax = 10_000;

function textOf({ runId, prompt, end, question }: Announcement, publicUrl: string, mask: (text: string) => string) {
  const title = runTitle(mask(prompt), titleMax);
  const link = `[Run #${runId}](${publicUrl}/runs/${runId})`;
  if (end === null)
    return `${link} is waiting for an answer: ${title}\n${questionOf(cutText(mask(question ?? ""), questionMax, "…"))}`;
  const result = end.result === null ? "" : `\n${cutText(mask(end.result.trim()), resultMax, "…")}`;
  return `${link} ${end.status.replaceAll("_", " ")}: ${title}${result}`;
}

/** The title, and what it is about as code: the command or plan that people allow is told as it is. */
function questionOf(question: string): string {
  const [title = "", ...rest] = question.split("\n");
  return rest.length === 0 ? title : `${title}\n\n${fenced(rest.join("\n"))}`;
}
