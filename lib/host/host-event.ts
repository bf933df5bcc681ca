import { z } from "zod";
import { HostThread } from "./host.ts";

/** Something that a person said on a host: all that a run needs of an event. */
export const HostEvent = z.object({
  /** Where it was said: at the top of or below an issue or a pull request, in a review, at a line. */
  kind: z.enum(["issue", "pull", "review", "thread"]),
  /** Names what was said within the host: the same for every delivery of it. */
  key: z.string(),
  thread: HostThread,
  /** Of the issue or pull request. */
  title: z.string(),
  /** What stands at the top of the issue or pull request, where it is not itself what was said; null where nothing does. */
  opening: z.object({ author: z.string(), body: z.string() }).nullable(),
  author: z.object({ id: z.int(), login: z.string(), isBot: z.boolean() }),
  body: z.string(),
  url: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
});
export type HostEvent = z.infer<typeof HostEvent>;

/** The key of a conversation: everything that is said in one issue or pull request belongs together. */
export function conversationOf({ repository, subject, number }: HostThread): string {
  return `${repository.toLowerCase()}/${subject}/${number}`;
}

/**
 * Whether the text mentions the name as `@name`, outside of quotes and code: who quotes somebody, or shows an example, asks for
 * nothing.
 */
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
