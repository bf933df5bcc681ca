import { setupAgent } from "#lib/contract/agent.ts";
import { noticeEntry } from "#lib/entry/notice.ts";
import { prepareTurn, type SetupTurn } from "./run-setup.ts";

/** Longest list of rule files that an agent is pointed to. */
const filesMax = 20;

/**
 * Prepares the checkout for a turn ({@link prepareTurn}) and gives all that the agent is told beside its prompt, null for nothing.
 * `isNewToAgent`: nothing of the run has reached the agent's session yet, so it is given the rules too.
 */
export async function briefTurn(turn: SetupTurn, isNewToAgent: boolean): Promise<string | null> {
  const rules = isNewToAgent ? await giveRules(turn) : null;
  const setup = await prepareTurn(turn);
  const parts = [rules, setup].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join("\n\n");
}

/** What an agent is told of the rules that hold for its work; a notice in the log says that it was. */
async function giveRules(turn: SetupTurn): Promise<string | null> {
  const { parts, claimed, checkout, signal } = turn;
  const { run, lease } = claimed;
  if (run.agent === setupAgent) return null;
  const { rules, enableRulesDetection } = await parts.store.settings.get(run.organizationId);
  const searches = enableRulesDetection && run.repositoryId !== null;
  const files = searches ? await parts.workspace.findRuleFiles(checkout, signal) : [];
  const told = rulesText(rules, files);
  if (told === null) return null;
  const given = [
    ...(rules === null ? [] : [`The agent was given the organization's rules (${rules.length} characters).`]),
    ...(files.length === 0 ? [] : [`The agent was pointed to the rule files of the repository: ${listed(files)}.`]),
  ];
  await parts.store.queue.append(lease, [noticeEntry("Rules given", given.join(" "))]);
  return told;
}

/** The organization's rules between marks of their own, and the names of the repository's rule files; null for neither. */
export function rulesText(rules: string | null, files: readonly string[]): string | null {
  const lines: string[] = [];
  if (rules !== null) {
    lines.push(
      "The rules of the organization, which Errand, the service that runs you, gives to every agent. Follow them; where the request itself asks for something else, the request wins.",
      "<organization_rules>",
      rules.replaceAll(/<(\/?)organization_rules>/g, "($1organization_rules)").trim(),
      "</organization_rules>",
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

function listed(files: readonly string[]): string {
  const more = files.length - filesMax;
  return `${files.slice(0, filesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
