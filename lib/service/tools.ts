import { z } from "zod";
import { ApiError } from "#lib/contract/error.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { SearchQuery } from "#lib/contract/logs/search.ts";
import { type ExecuteTool, type ToolName, tools } from "#lib/contract/logs/tool.ts";
import { ListRunsQuery } from "#lib/contract/runs/run-list.ts";
import { LogsQuery } from "#lib/contract/runs/run-operations.ts";
import { getLogs } from "./logs.ts";
import { NothingDone } from "./reply.ts";
import { findRepository } from "./repositories.ts";
import { cancelRun, createRun, getRun, listRuns, resumeRun } from "./runs.ts";
import { searchRuns } from "./search.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Default page size of read_log, and where strings inside entries are cut, in characters. */
const logPage = { limit: 30, clip: 2000 };

const listed = Object.entries(tools).map(([name, { description, input }]) => {
  const { $schema, ...parameters } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => Reflect.deleteProperty(jsonSchema, "example"),
  });
  return { name, description, parameters };
});

/** The tools that {@link executeTool} offers. */
export async function listTools() {
  return { tools: listed, total_count: listed.length };
}

/**
 * Calls the tool's operation. An error of the operation gives `success` false; a missing scope gives 403, as for the
 * operation.
 */
export async function executeTool(context: OrganizationContext, { body }: { body: ExecuteTool }) {
  const { tool_name: name, repo_id: repositoryId } = body;
  const { scope } = tools[name].operation;
  if (scope !== null && scope !== "any" && !context.member.scopes.includes(scope)) {
    throw new ApiError("forbidden", `This needs the scope ${scope}, which your role or token does not have.`);
  }
  if (repositoryId != null) await findRepository(context, repositoryId);
  const begun = performance.now();
  const outcome = await call(context, name, body.arguments ?? {}, repositoryId ?? null).then(
    (result) => ({ success: true, result, error: null }),
    (error: unknown) => {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return { success: false, result: null, error: error.message };
    },
  );
  const said = { ...outcome, tool_name: name, execution_time_ms: Math.round(performance.now() - begun) };
  return outcome.success ? said : new NothingDone(said);
}

/** The contract has accepted the arguments: parsing them again only gives them their types. */
async function call(
  context: OrganizationContext,
  name: ToolName,
  given: Record<string, unknown>,
  repositoryId: number | null,
): Promise<unknown> {
  switch (name) {
    case "start_run": {
      const body = tools.start_run.input.parse(given);
      return await createRun(context, { body: { ...body, repo_id: body.repo_id ?? repositoryId } });
    }
    case "resume_run":
      return await resumeRun(context, { body: tools.resume_run.input.parse(given) });
    case "cancel_run":
      return await cancelRun(context, { params: tools.cancel_run.input.parse(given) });
    case "get_run":
      return (await getRun(context, { params: tools.get_run.input.parse(given) })).value;
    case "list_runs":
      return await listRuns(context, { query: parseQuery(ListRunsQuery, tools.list_runs.input.parse(given)) });
    case "read_log": {
      const { agent_run_id, reverse, ...rows } = tools.read_log.input.parse(given);
      const query = { ...LogsQuery.parse({ ...logPage, ...rows }), reverse: reverse ?? false };
      const reply = await getLogs(context, { params: { agent_run_id }, query });
      return parseExactJson(Buffer.concat((await reply.read()).pieces).toString("utf8"));
    }
    case "search_runs":
      return await searchRuns(context, { query: SearchQuery.parse(tools.search_runs.input.parse(given)) });
  }
}

/** For what only the operation's own schema refuses, such as a status that does not exist. */
function parseQuery<Schema extends z.ZodType>(schema: Schema, given: object): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError("invalid_parameters", `${issue?.path.join(".")}: ${issue?.message}`);
}
