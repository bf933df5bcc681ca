// Starts a run, follows it and prints the answer: ERRAND_TOKEN=errand_… node examples/follow-a-run.ts "What to do"
import { createClient } from "errand/client";

const { ERRAND_URL: baseUrl = "http://127.0.0.1:3000", ERRAND_TOKEN: token = "", ERRAND_REPO: repo } = process.env;
const errand = createClient({ baseUrl, token });
// The repository whose id is in ERRAND_REPO, or the first; without one, a run works in an empty repository.
const repo_id = repo === undefined ? (await errand.repositories({ limit: 1 })).items[0]?.id : Number(repo);
// The built-in agent needs no model; without `agent` your installation's default one works.
const run = await errand.create({ prompt: process.argv[2] ?? "Survey this repository", repo_id, agent: "steps" });
console.log(run.web_url);

for await (const event of errand.follow(run.id)) {
  if (event.type !== "entry") continue;
  const { seq, message_type, tool_name } = event.entry;
  console.log(seq, message_type, tool_name ?? "");
}

const { status, result } = await errand.get(run.id);
console.log(`${status}: ${result}`);
