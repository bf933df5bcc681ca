import { dirname } from "node:path";

const noEditor =
  "No editor can be opened: nobody is at a terminal. Give the text as an argument (git commit -m, git tag -m), or set GIT_EDITOR, GIT_SEQUENCE_EDITOR or EDITOR to a command that changes the file by itself.";
/** Fails, because an editor that succeeds would let `git rebase -i` go on with what nobody has read. */
const editor = `sh -c 'echo "${noEditor}" >&2; exit 1'`;

/** Defaults for commands that nobody watches at a terminal: nothing edits, pages or asks. */
const unattended = {
  ...{ EDITOR: editor, VISUAL: editor, GIT_EDITOR: editor, GIT_SEQUENCE_EDITOR: editor },
  ...{ PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" },
};

/**
 * The environment of whatever runs in a checkout: the given one over the defaults of unattended commands. Git looks for a
 * repository no further up than the checkout `folder`: in a checkout without `.git` it would find the one that the data folder is
 * in.
 */
export function checkoutEnvironment(folder: string, env: Record<string, string>): Record<string, string> {
  return { ...unattended, ...env, GIT_CEILING_DIRECTORIES: dirname(folder) };
}
