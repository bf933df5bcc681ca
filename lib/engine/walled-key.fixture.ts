import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import { namesOf, serving } from "#lib/egress/proxy-under-test.fixture.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { builtInAgents, networkUnderTest, openEngine } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";
import { environment } from "./walled.fixture.ts";

/** Random: a text written in a file may also exist compiled beside the packages, which the wall shows. */
export const keptKey = `sk-of-errand-${randomBytes(24).toString("base64url")}`;

/** An engine behind the wall whose agent has a kept key, and the service that takes it. */
export async function walledWithKey(
  t: TestContext,
  { dataDir = temporaryFolder(t), isolation = "wall" }: { dataDir?: string; isolation?: Isolation } = {},
) {
  const heard: { key: unknown; path: unknown }[] = [];
  const port = await serving(t, "127.0.0.3", (request, response) => {
    heard.push({ key: request.headers["x-api-key"], path: request.url });
    response.end(`heard ${request.headers["x-api-key"]}`);
  });
  const use = { variable: "MODEL_API_KEY", host: `models.test:${port}`, header: "x-api-key", path: "/v1" };
  const profiles = builtInAgents
    .filter(({ id }) => id === "steps")
    .map((profile) => ({
      ...profile,
      env: { ...profile.env, MODEL_BASE_URL: `http://models.test:${port}/v1` },
      keys: [{ ...use, baseUrl: "MODEL_BASE_URL" }],
    }));
  const network = {
    ...networkUnderTest(dataDir, environment),
    permitted: new Set([`models.test:${port}`]),
    find: namesOf({ "models.test": () => ["127.0.0.3"] }),
  };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "auto" });
  const lines: string[] = [];
  const note = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`);
  const logger = { info: note, warn: note, error: note };
  const parts = { workspace, network, profiles, isolation, logger };
  const opened = await openEngine(t, parts, { dataDir });
  const place = { variable: use.variable, repositoryId: null };
  const seal = createSeal({ key: null, file: join(dataDir, "secret.key") });
  const sealed = seal.seal(keptKey, agentKeyContext(opened.access.organizationId, place));
  await opened.store.agentKeys.put(opened.access, { ...place, sealed });
  opened.engine.start();
  return { ...opened, dataDir, heard, lines };
}
