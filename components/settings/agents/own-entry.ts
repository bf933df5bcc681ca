/** What the entry of an agent of one's own is made of, as typed. */
export type OwnEntry = { id: string; title: string; command: string; variables: string };

/** An entry for `agents.json`, as the file has it, or why there can be none. */
export type WrittenEntry = { json: string } | { problem: string };

/**
 * The text to put into `agents.json`. The command is split at white space, except in quotation marks; variables are names of the
 * service's environment that the agent is given.
 */
export function writeEntry({ id, title, command, variables }: OwnEntry): WrittenEntry {
  // The rules of the file, see lib/agents/agents-file.ts.
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id))
    return {
      problem:
        "The ID may contain only lowercase letters, digits, - and _ (at most 64), and must start with a letter or digit.",
    };
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? "",
  );
  if (words.length === 0 || words.includes("")) return { problem: "The command must not be empty." };
  const names = variables.split(/[\s,]+/).filter(Boolean);
  const wrong = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith("ERRAND_"));
  if (wrong !== undefined) return { problem: `${wrong} cannot be the name of a variable for an agent.` };
  const entry = {
    ...(title.trim() === "" ? {} : { title: title.trim() }),
    command: words,
    ...(names.length === 0 ? {} : { pass_env: names }),
  };
  return { json: JSON.stringify({ [id]: entry }, null, 2) };
}
