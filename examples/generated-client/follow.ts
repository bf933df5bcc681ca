// Starts a run, follows it and reads its log, with types generated from the service's own description:
//   npx openapi-typescript http://127.0.0.1:3000/v1/openapi.json --output api.ts
//   ERRAND_TOKEN=errand_… ERRAND_REPO=1 node follow.ts "What to do"
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

type LogEntry = components["schemas"]["LogEntry"];

const { ERRAND_URL: baseUrl = "http://127.0.0.1:3000", ERRAND_TOKEN: token = "" } = process.env;
const errand = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

/** Data of a response. Throws the message of an error. */
function answerOf<T>({ data, error }: { data?: T | null; error?: { detail: string } }): T {
  if (data === undefined || data === null) throw new Error(error?.detail ?? "The service returned no data.");
  return data;
}

const { items } = answerOf(await errand.GET("/v1/organizations"));
const organization = items[0];
if (organization === undefined) throw new Error("The token has no organization.");
// Without a repository a run works in an empty one.
const repo_id = Number(process.env.ERRAND_REPO) || null;
const body = { prompt: process.argv[2] ?? "Survey this repository", agent: "steps", repo_id };
const run = answerOf(
  await errand.POST("/v1/organizations/{org_id}/agent/run", { params: { path: { org_id: organization.id } }, body }),
);
console.log(run.web_url);

const path = { org_id: organization.id, agent_run_id: run.id };
const stream = answerOf(
  await errand.GET("/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/stream", {
    params: { path },
    parseAs: "stream",
  }),
);
let event = "";
let rest = "";
for await (const text of stream.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    if (line.startsWith("event: ")) event = line.slice(7);
    if (!line.startsWith("data: ") || event !== "entry") continue;
    const { seq, message_type, tool_name }: LogEntry = JSON.parse(line.slice(6));
    console.log(seq, message_type, tool_name ?? "");
  }
}

const log = answerOf(
  await errand.GET("/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs", {
    params: { path, query: { reverse: true, limit: 1 } },
  }),
);
console.log(`${log.status}: ${log.result}`);
console.log(`last entry: ${log.logs[0]?.message_type}`);
