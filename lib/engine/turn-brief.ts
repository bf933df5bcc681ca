import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { setupAgent } from "#lib/contract/runs/agent-ids.ts";
import { noticeEntry } from "#lib/entry/notice.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import { prepareTurn } from "./run-setup.ts";
import type { SetupTurn } from "./setup-turn.ts";

/** Maximum number of rule files an agent is pointed to. */
const filesMax = 20;

/**
 * Prepares the checkout for a turn ({@link prepareTurn}) and returns everything the agent is told besides its prompt, or null.
 * `isNewToAgent`: the agent's session knows nothing of the run yet, so it gets the rules too.
 */
export async function briefTurn(turn: SetupTurn, isNewToAgent: boolean): Promise<string | null> {
  const rules = isNewToAgent ? await giveRules(turn) : null;
  const lfs = isNewToAgent ? await tellOfLfs(turn) : null;
  const submodules = isNewToAgent ? await tellOfSubmodules(turn) : null;
  const setup = await prepareTurn(turn);
  const parts = [rules, lfs, submodules, setup].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join("\n\n");
}

/** Rules for the agent's work; a notice in the log records that it was given them. */
async function giveRules(turn: SetupTurn): Promise<string | null> {
  const { parts, claimed, checkout, signal } = turn;
  const { run, lease } = claimed;
  if (run.agent === setupAgent) return null;
  const { enableRulesDetection } = await parts.store.settings.get(run.organizationId);
  const { organization, person } = await readRules(parts.store, run);
  const searches = enableRulesDetection && run.repositoryId !== null;
  const files = searches ? await parts.workspace.findRuleFiles(checkout, signal) : [];
  const text = rulesText({ organization, person }, files);
  if (text === null) return null;
  const given = [
    ...(organization === null
      ? []
      : [`The agent was given the organization's rules (${organization.length} characters).`]),
    ...(person === null
      ? []
      : [`The agent was given the rules of the person who started the run (${person.length} characters).`]),
    ...(files.length === 0 ? [] : [`The agent was pointed to the rule files of the repository: ${listed(files)}.`]),
  ];
  await parts.store.queue.append(lease, [noticeEntry("Rules given", given.join(" "))]);
  return text;
}

const lfsNote =
  "Files tracked by Git LFS (`filter=lfs` in .gitattributes) are only pointers here, because Errand does not run Git LFS: tests that read them may fail. A file that replaces one is committed as a plain file.";

/** What an agent must know about a repository that uses Git LFS, which is in the log too; null for others. */
async function tellOfLfs({ parts, claimed, checkout, signal }: SetupTurn): Promise<string | null> {
  const { run, lease } = claimed;
  if (run.agent === setupAgent || run.repositoryId === null) return null;
  if (!(await parts.workspace.usesLfs(checkout, signal))) return null;
  await parts.store.queue.append(lease, [noticeEntry("Git LFS", lfsNote)]);
  return lfsNote;
}

const notFetched =
  "Errand did not fetch the submodules that .gitmodules names, so their folders are empty. Changes in them are not committed.";

/** What an agent must know about submodules, which is in the log too; null for repositories without. */
async function tellOfSubmodules({ parts, claimed, checkout }: SetupTurn): Promise<string | null> {
  const { submodules = [], path } = checkout;
  const isNamed = (await lstat(join(path, ".gitmodules")).catch(() => null))?.isFile() === true;
  if (claimed.run.agent === setupAgent || (submodules.length === 0 && !isNamed)) return null;
  const there = submodules.filter(({ problem }) => problem === null).map(({ path }) => path);
  const text = [
    ...(there.length === 0
      ? []
      : [
          `Submodules are plain files here, at the commits that the repository names; changes in them are not committed: ${listed(there)}.`,
        ]),
    ...submodules.flatMap(({ path, problem }) =>
      problem === null ? [] : [`The folder of the submodule ${path} is empty: ${problem.replace(/\.$/, "")}.`],
    ),
    ...(submodules.length === 0 ? [notFetched] : []),
  ].join(" ");
  await parts.store.queue.append(claimed.lease, [noticeEntry("Submodules", text)]);
  return text;
}

/** Rules for a run; null if there are none. */
export type RunRules = { organization: string | null; person: string | null };

/** Current rules of the run's organization and of the person who started it. */
export async function readRules(
  store: Pick<Store, "settings" | "accounts">,
  run: Pick<RunRow, "organizationId" | "userId">,
): Promise<RunRules> {
  const { rules } = await store.settings.get(run.organizationId);
  return { organization: rules, person: run.userId === null ? null : await store.accounts.findRules(run.userId) };
}

/** The rules between their markers, and the names of the repository's rule files; null if there are neither. */
export function rulesText({ organization, person }: RunRules, files: readonly string[]): string | null {
  const lines: string[] = [];
  if (organization !== null) {
    lines.push(
      "The rules of the organization, which Errand, the service that runs you, gives to every agent. Follow them; where the request itself asks for something else, the request wins.",
      marked("organization_rules", organization),
    );
  }
  if (person !== null) {
    const rank =
      organization === null ? "" : " Where they contradict those of the organization, the organization's win.";
    lines.push(
      `The rules of the person who asks. Follow them; where the request itself asks for something else, the request wins.${rank}`,
      marked("personal_rules", person),
    );
  }
  if (files.length > 0) {
    lines.push(
      `This repository has rules for agents. Read them before you change anything, and follow them: ${listed(files)}.`,
    );
  }
  if (lines.length === 0) return null;
  // An agent that runs the fenced blocks of a prompt must not run an example in the rules.
  return lines.join("\n").replace(/`{3,}/g, "'''").replace(/~{3,}/g, "'''");
}

/** Text between markers that it cannot end itself. */
function marked(mark: string, text: string): string {
  const inside = text.replaceAll(/<(\/?)(organization_rules|personal_rules)>/g, "($1$2)").trim();
  return `<${mark}>\n${inside}\n</${mark}>`;
}

function listed(files: readonly string[]): string {
  const more = files.length - filesMax;
  return `${files.slice(0, filesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
