import { z } from "zod";
import { cutText } from "#lib/cut-text.ts";
import { callHost, HostError, type Send } from "#lib/host/call-host.ts";
import { maskSent } from "#lib/host/mask-sent.ts";
import { markdownFor, type Outgoing } from "#lib/host/outgoing.ts";

const Answered = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});
const Viewer = z.object({ viewer: z.object({ id: z.string(), name: z.string() }) });
const Created = z.object({ commentCreate: z.object({ success: z.boolean() }) });

/** A place in Linear: an issue, and the comment whose thread a reply belongs to; null for the issue itself. */
export const LinearPlace = z.object({
  from: z.literal("linear"),
  issueId: z.string(),
  parentId: z.string().nullable(),
});
export type LinearPlace = z.infer<typeof LinearPlace>;

/** Calls to Linear (https://linear.app/developers/graphql). */
export type Linear = {
  /** Account of the API key. */
  identity(signal: AbortSignal): Promise<{ userId: string; login: string }>;
  /** Writes a comment under an id chosen by the caller (a UUID): repeating it changes nothing. */
  comment(
    thread: Pick<LinearPlace, "issueId" | "parentId">,
    text: Outgoing,
    id: string,
    signal: AbortSignal,
  ): Promise<void>;
};

/** Linear at an address, with an API key or an app's token. */
export function openLinear({ baseUrl, token, send }: { baseUrl: string; token: string; send: Send }): Linear {
  // A personal key is sent as it is, an app's token after "Bearer".
  const authorization = token.startsWith("lin_api_") ? token : `Bearer ${token}`;
  const ask = async <Schema extends z.ZodType>(
    query: string,
    variables: object,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> => {
    const headers = { authorization };
    const call = { title: "Linear", send, headers, signal };
    const request = { method: "POST", url: `${baseUrl}/graphql`, body: { query, variables } } as const;
    const { data, errors } = await callHost(call, request, Answered);
    const message = errors?.[0]?.message;
    if (message !== undefined) {
      const status = /\b(?:not (?:be )?found|does not exist|archived|forbidden)\b/i.test(message) ? 422 : 400;
      throw new HostError(`Linear refused: ${cutText(maskSent(message, headers), 200)}.`, status);
    }
    const read = schema.safeParse(data);
    if (!read.success) throw new HostError("The address responds, but not like Linear.");
    return read.data;
  };
  return {
    async identity(signal) {
      const { viewer } = await ask("query { viewer { id name } }", {}, Viewer, signal);
      return { userId: viewer.id, login: viewer.name };
    },

    async comment({ issueId, parentId }, text, id, signal) {
      const query = "mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success } }";
      const input = { id, issueId, body: markdownFor("linear", text), ...(parentId === null ? {} : { parentId }) };
      try {
        await ask(query, { input }, Created, signal);
      } catch (error) {
        // The id exists if an earlier attempt arrived but its response was lost.
        const isThere = error instanceof HostError && /already exists|duplicate|unique/i.test(error.message);
        if (!isThere) throw error;
      }
    },
  };
}
