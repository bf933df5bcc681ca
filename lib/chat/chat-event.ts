import { z } from "zod";

/** Something that a person said in Slack or Linear: all that a run needs of an event. */
export const ChatEvent = z.object({
  /** Names what was said within the service: the same for every delivery of it. */
  key: z.string(),
  /** Names the thread: everything said in it belongs to one run. */
  conversation: z.string(),
  /** What the settings name a repository for: the channel's id, or the team's key. */
  place: z.string(),
  author: z.object({ id: z.string(), name: z.string(), isBot: z.boolean() }),
  /** Without the mention. */
  body: z.string(),
  /** What it is about: the title; null in a channel. */
  title: z.string().nullable(),
  url: z.string().nullable(),
});
export type ChatEvent = z.infer<typeof ChatEvent>;
