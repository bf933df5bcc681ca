import { z } from "zod";

/** Something a person said in Slack or Linear: what a run needs of an event. */
export const ChatEvent = z.object({
  /** Identifies the message within the service: the same for every delivery of it. */
  key: z.string(),
  /** Identifies the thread: everything said in it belongs to one run. */
  conversation: z.string(),
  /** Key of the settings' repository: the channel's id, or the team's key. */
  place: z.string(),
  author: z.object({ id: z.string(), name: z.string(), isBot: z.boolean() }),
  /** Without the mention. */
  body: z.string(),
  /** Subject: the title; null in a channel. */
  title: z.string().nullable(),
  url: z.string().nullable(),
});
export type ChatEvent = z.infer<typeof ChatEvent>;
