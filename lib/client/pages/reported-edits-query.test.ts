import assert from "node:assert/strict";
import test from "node:test";
import { QueryClient } from "@tanstack/react-query";
import { reportedEditsQuery } from "./reported-edits-query.ts";

const source = { kind: "run", orgId: 1, runId: 2 } as const;

test("edits of a growing run are read once each, into one cached list", async () => {
  const client = new QueryClient();
  const edits = Array.from({ length: 60 }, (_, index) => ({ seq: index + 1 }));
  let asked: string[] = [];
  const transport = async (path: string) => {
    const { pathname, searchParams } = new URL(path, "http://errand.test");
    if (!pathname.endsWith("/logs")) return Response.json({ items: [{ tool_name: "Edit" }] });
    const skip = Number(searchParams.get("skip"));
    asked.push(`${searchParams.get("tool_name")} ${skip}`);
    return Response.json({ logs: edits.slice(skip, skip + 50), total_logs: edits.length });
  };
  const read = () => client.fetchQuery({ ...reportedEditsQuery(source, edits.length, transport), staleTime: 0 });
  assert.equal((await read()).entries.length, 60);
  assert.deepEqual(asked, ["Edit 0", "Edit 50"]);
  asked = [];
  edits.push({ seq: 61 });
  const { entries, totalLogs } = await read();
  assert.deepEqual([entries.length, entries.at(-1)?.seq, totalLogs], [61, 61, 61]);
  assert.deepEqual(asked, ["Edit 60"]);
  assert.equal(client.getQueryCache().getAll().length, 1);
  client.clear();
});
