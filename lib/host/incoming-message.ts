import { z } from "zod";
import { ChatEvent } from "#lib/chat/chat-event.ts";
import { LinearPlace } from "#lib/chat/linear.ts";
import { SlackPlace } from "#lib/chat/slack.ts";
import { HostThread } from "./host.ts";
import { HostEvent } from "./host-event.ts";

/** Where to reply, as the store keeps it; `asker`: the login of the person who asked there. */
export const ReplyPlace = z.discriminatedUnion("from", [
  z.object({ from: z.literal("host"), thread: HostThread, asker: z.string().nullable().default(null) }),
  SlackPlace,
  LinearPlace,
]);
export type ReplyPlace = z.infer<typeof ReplyPlace>;

/** A message in a connected service, as the web process stores it for the engine. */
export const IncomingMessage = z.discriminatedUnion("from", [
  z.object({ from: z.literal("host"), event: HostEvent }),
  z.object({
    from: z.literal("chat"),
    event: ChatEvent,
    place: z.discriminatedUnion("from", [SlackPlace, LinearPlace]),
  }),
]);
export type IncomingMessage = z.infer<typeof IncomingMessage>;
