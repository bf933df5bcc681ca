import { join } from "node:path";
import type { TestContext } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { builtInAgents, openEngine } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";

export const hasEnded = ({ status }: { status: Parameters<typeof isEnd>[0] }) => isEnd(status);
export const sh = (command: string) => `\`\`\`sh\n${command}\n\`\`\``;

/** An engine with a repository whose setup is accepted, and access to what its runs leave. */
export async function openWithSetup(
  t: TestContext,
  setup: Partial<SetupCommands>,
  files: Record<string, string> = {},
  path = process.env.PATH ?? "",
) {
  const dataDir = temporaryFolder(t);
  const environment = { PATH: path, SECRET_KEY: "hidden" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group" });
  const opened = await openEngine(t, { workspace, profiles: builtInAgents });
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, { ".gitignore": "ignored\n", ...files });
  const { repository } = await opened.store.repositories.add(opened.access, {
    name: "x",
    fullName: "o/x",
    description: null,
    source,
    defaultBranch: "main",
  });
  const repositoryId = repository.id;
  const accept = async (commands: Partial<SetupCommands>) => {
    await opened.store.setups.change(opened.access, repositoryId, SetupCommands.parse(commands), null);
  };
  if (Object.keys(setup).length > 0) await accept(setup);
  const statusOf = async () => (await opened.store.setups.find(opened.access, repositoryId))?.status;
  const addTurn = (runId: number, prompt: string) =>
    opened.store.runs.addTurn(opened.access, runId, { prompt, images: [], model: null });
  const checkoutOf = (runId: number) => join(dataDir, "checkouts", String(runId));
  opened.engine.start();
  return { ...opened, repositoryId, accept, statusOf, addTurn, checkoutOf };
}

export const outputOf = (entry: LogEntry) => Object(entry.tool_output) as Record<string, unknown>;
export const inputOf = (entry: LogEntry) => Object(entry.tool_input) as Record<string, unknown>;
/** What a run did, one line a step: commands, notices, errors, messages. */
export function told(entries: LogEntry[]): string[] {
  return entries.flatMap((entry) => {
    if (entry.message_type === "USER_MESSAGE") return ["message"];
    if (entry.message_type === "ERROR") return [`error ${Object(entry.observation).code}`];
    if (entry.tool_name === "errand") return [`notice ${inputOf(entry).notice}`];
    if (entry.message_type !== "ACTION") return [];
    return [`${inputOf(entry).command} ${outputOf(entry).status}`];
  });
}
