import { z } from "zod";
import { HostThread } from "./host.ts";

/** Something a person said on a host: what a run needs of an event. */
export const HostEvent = z.object({
  /** Where it was said: at the top of or below an issue or a pull request, in a review, at a line. */
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
  url: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
});
export type HostEvent = z.infer<typeof HostEvent>;

/** Key of a conversation: everything said in one issue or pull request belongs together. */
export function conversationOf({ repository, subject, number }: HostThread): string {
  return `${repository.toLowerCase()}/${subject}/${number}`;
}

/** Whether the text mentions `@name` outside quotes and code: quoting somebody, or showing an example, asks for nothing. */
export function mentions(text: string, names: readonly string[]): boolean {
  const own = text
    .replace(/^(```|~~~)[\s\S]*?(^\1|$(?![\s\S]))/gm, "")
    .replace(/`[^`\n]*`/g, "")
    .split("\n")
    .filter((line) => !/^\s*>/.test(line))
    .join("\n")
    .toLowerCase();
  return names.some((name) => {
    const wanted = `@${name.toLowerCase()}`;
    for (let at = own.indexOf(wanted); at !== -1; at = own.indexOf(wanted, at + 1)) {
      const before = own[at - 1] ?? " ";
      const after = own[at + wanted.length] ?? " ";
      if (!/[\w@./-]/.test(before) && !/[\w-]/.test(after)) return true;
    }
    return false;
  });
}
