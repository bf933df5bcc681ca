import { join } from "node:path";
import type { TestContext } from "node:test";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { namesOf, serving } from "#lib/egress/proxy-under-test.fixture.ts";
import { makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { builtInAgents, networkUnderTest, openEngine } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";

export const environment = { PATH: process.env.PATH ?? "" };
/** The agent that runs the steps in its prompt. */
export const steps = builtInAgents.filter(({ id }) => id === "steps");

/** The network of the engine's own tests: names of a stub, and a server beside them that the instance's owner permits. */
async function networkTo(t: TestContext, dataDir: string) {
  const port = await serving(t, "127.0.0.3", (request, response) => response.end(`served ${request.headers.host}`));
  const find = namesOf({ "models.test": () => ["127.0.0.3"], "other.test": () => ["127.0.0.3"] });
  return {
    port,
    network: { ...networkUnderTest(dataDir, environment), permitted: new Set([`models.test:${port}`]), find },
  };
}

/** An engine whose runs must start behind the wall, over a repository with accepted setup commands. */
export async function walled(
  t: TestContext,
  path: string,
  agentUser: { uid: number; gid: number } | null = null,
  isolation: "auto" | "wall" = "wall",
  limits: { memoryBytes?: number } = {},
) {
  const dataDir = temporaryFolder(t);
  const workspace = createRunWorkspace({ dataDir, environment: { PATH: path }, sandbox: "auto", agentUser, ...limits });
  const { network, port } = await networkTo(t, dataDir);
  const opened = await openEngine(t, { workspace, network, profiles: steps, isolation }, { dataDir });
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, { ".gitignore": "ignored\n" });
  const { repository } = await opened.store.repositories.add(opened.access, {
    ...{ name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" },
  });
  const commands = SetupCommands.parse({ install: ["pwd > ignored"] });
  await opened.store.setups.change(opened.access, repository.id, commands, null);
  opened.engine.start();
  return { ...opened, dataDir, port, repositoryId: repository.id };
}
