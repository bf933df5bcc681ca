import type { HostPerson, HostThread } from "./host.ts";

/** Where something was said. */
export type SpokenIn = "issue" | "pull" | "review" | "thread";

/** Something that a person said on a host: all that a run needs of an event. */
export type HostEvent = {
  kind: SpokenIn;
  /** Names what was said within the host: the same for every delivery of it. */
  key: string;
  thread: HostThread;
  /** Of the issue or pull request. */
  title: string;
  /** What stands at the top of the issue or pull request, where it is not itself what was said; null where nothing does. */
  opening: { author: string; body: string } | null;
  author: HostPerson & { isBot: boolean };
  body: string;
  url: string;
  path: string | null;
  line: number | null;
};

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
