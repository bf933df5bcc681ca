import assert from "node:assert/strict";
import test from "node:test";
import { focusManager, InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import type { Run } from "#lib/contract/runs/run.ts";
import { noFilter } from "./run-filter.ts";
import {
  flattenRuns,
  keepReadRuns,
  nextRunsPage,
  type RunsPagePosition,
  runsHeadQuery,
  runsQuery,
} from "./run-list-queries.ts";

type Row = Pick<Run, "id" | "created_at">;
const at = (id: number, ms: number): Row => ({ id, created_at: new Date(1_700_000_000_000 + ms).toISOString() });

/** A list as the server returns it: newest first, before a time, `limit` rows after `skip`. */
function read(rows: Row[], { createdBefore, skip }: RunsPagePosition, limit = 2) {
  const matching = rows.filter((row) => createdBefore === null || row.created_at < createdBefore);
  const items = matching.slice(skip, skip + limit) as Run[];
  return { items, total: matching.length, page: 1, size: limit, pages: 1 };
}

function readAll(list: () => Row[]): number[] {
  const pages: ReturnType<typeof read>[] = [];
  let position: RunsPagePosition | undefined = { createdBefore: null, skip: 0 };
  while (position !== undefined) {
    const page = read(list(), position);
    pages.push(page);
    position = nextRunsPage(page, pages, position);
  }
  return flattenRuns({ pages, pageParams: [] }).map(({ id }) => id);
}

test("pages contain every run once, even if many were created in one millisecond", () => {
  const rows = [at(7, 50), at(6, 40), at(5, 40), at(4, 40), at(3, 40), at(2, 40), at(1, 10)];
  assert.deepEqual(
    readAll(() => rows),
    [7, 6, 5, 4, 3, 2, 1],
  );
});

test("runs that arrive or leave the list between two pages neither repeat nor hide others", () => {
  let rows = [at(6, 60), at(5, 50), at(4, 40), at(3, 30), at(2, 20), at(1, 10)];
  let reads = 0;
  const ids = readAll(() => {
    reads += 1;
    if (reads === 2) rows = [at(8, 80), at(7, 70), ...rows];
    if (reads === 3) rows = rows.filter(({ id }) => id !== 6 && id !== 5);
    return rows;
  });
  assert.deepEqual(ids, [6, 5, 4, 3, 2, 1]);
});

test("an empty list has one page", () => {
  assert.deepEqual(
    readAll(() => []),
    [],
  );
});

const row = (id: number, status: Run["status"]) => ({ ...at(id, id), status }) as Run;

/** A server with these runs, newest first. Its list contains the live ones, `listed` on a page. */
function serve(runs: Map<number, Run["status"]>, listed: number) {
  return async (path: string) => {
    const id = Number(/\/run\/(\d+)$/.exec(path)?.[1]);
    const status = runs.get(id);
    if (status !== undefined) return Response.json(row(id, status));
    if (!Number.isNaN(id)) return Response.json({ code: "not_found", detail: "no such run" }, { status: 404 });
    const live = [...runs].flatMap(([each, its]) => (its === "completed" ? [] : [row(each, its)]));
    return Response.json(read(live, { createdBefore: null, skip: 0 }, listed));
  };
}

/** A list with all these runs loaded. Each `poll` returns the runs that it read outside the first page. */
function openList(runs: Map<number, Run["status"]>, listed: number) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { queryKey } = runsQuery(1, noFilter);
  const all = [...runs].map(([id, status]) => row(id, status));
  client.setQueryData(queryKey, {
    pages: [read(all, { createdBefore: null, skip: 0 }, all.length)],
    pageParams: [{ createdBefore: null, skip: 0 }],
  });
  const rows = () => flattenRuns(client.getQueryData(queryKey));
  const liveIds = () => rows().flatMap(({ id, status }) => (status === "completed" ? [] : [id]));
  const poll = async () => {
    const query = runsHeadQuery(1, noFilter, liveIds, serve(runs, listed));
    const head = await client.fetchQuery({ ...query, staleTime: 0 });
    keepReadRuns(client, 1, noFilter, head);
    return head.watched.map(({ id }) => id);
  };
  return { client, poll, rows };
}

/** Runs of one status, newest first. */
const numbered = (newest: number, status: Run["status"] = "running") =>
  new Map(Array.from({ length: newest }, (_, index) => [newest - index, status]));

test("live runs outside the first page are read in turn: none keeps another from being read, however long it stays live", async () => {
  const runs = numbered(45);
  const { client, poll } = openList(runs, 20);
  assert.deepEqual(await poll(), [25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
  assert.deepEqual(await poll(), [15, 14, 13, 12, 11, 10, 9, 8, 7, 6]);
  assert.deepEqual(await poll(), [5, 4, 3, 2, 1, 25, 24, 23, 22, 21]);
  assert.deepEqual(await poll(), [20, 19, 18, 17, 16, 15, 14, 13, 12, 11]);
  client.clear();
});

test("up to ten live runs outside the first page are read at each poll", async () => {
  const { client, poll } = openList(numbered(30), 20);
  const all = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
  assert.deepEqual([await poll(), await poll()], [all, all]);
  client.clear();
});

test("runs that ended and so left the filter, and those that are gone, are read once, however many others are live", async () => {
  const runs = numbered(60);
  const { client, poll, rows } = openList(runs, 20);
  for (const id of [60, 50, 25, 1]) runs.set(id, "completed");
  for (const id of [45, 24]) runs.delete(id);
  const polls = [await poll(), await poll(), await poll(), await poll(), await poll()].flat();
  const changed = [60, 50, 45, 25, 24, 1];
  assert.deepEqual(
    changed.map((id) => polls.filter((each) => each === id).length),
    [1, 1, 0, 1, 0, 1],
  );
  assert.deepEqual(
    rows().flatMap(({ id, status }) => (status === "completed" ? [id] : [])),
    [60, 50, 25, 1],
  );
  assert.deepEqual(
    rows().map(({ id }) => id),
    Array.from({ length: 60 }, (_, index) => 60 - index).filter((id) => id !== 45 && id !== 24),
  );
  client.clear();
});

test("a row stays as it was read last, though other runs are read then, or new ones take its place on the first page", async () => {
  const runs = numbered(40, "queued");
  const { client, poll, rows } = openList(runs, 20);
  const shown = (id: number) => rows().find((run) => run.id === id)?.status;
  for (const id of [40, 21, 20]) runs.set(id, "running");
  await poll();
  assert.deepEqual([shown(40), shown(21), shown(20), shown(19)], ["running", "running", "running", "queued"]);
  const later = new Map([...numbered(60, "queued"), ...runs].sort(([a], [b]) => b - a));
  runs.clear();
  for (const [id, status] of later) runs.set(id, status);
  const watched = await poll();
  assert.deepEqual(
    watched.filter((id) => [40, 21, 20].includes(id)),
    [],
  );
  assert.deepEqual([shown(40), shown(21), shown(20), shown(19)], ["running", "running", "running", "queued"]);
  client.clear();
});

/** A list of two pages, of which the second one cannot be loaded for now. */
async function failSecondPage() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const asked: string[] = [];
  const server = { isFailing: true };
  const transport = async (path: string) => {
    asked.push(path);
    const isFirst = !path.includes("created_before");
    if (server.isFailing && !isFirst) return Response.json({ code: "internal", detail: "no" }, { status: 500 });
    const items = isFirst ? [row(4, "running"), row(3, "running"), row(2, "running")] : [row(1, "running")];
    return Response.json({ items, total: isFirst ? 4 : 1, page: 1, size: 3, pages: 2 });
  };
  const query = runsQuery(1, noFilter, transport);
  await client.fetchInfiniteQuery(query);
  const pages = new InfiniteQueryObserver(client, query);
  const leave = pages.subscribe(() => {});
  await pages.fetchNextPage();
  const status = () => client.getQueryState(query.queryKey)?.status;
  assert.equal(status(), "error");
  const statuses = () => flattenRuns(client.getQueryData(query.queryKey)).map((run) => `${run.id} ${run.status}`);
  const close = () => {
    leave();
    client.clear();
  };
  return { client, pages, server, asked, status, statuses, close };
}

test("while the rest could not be loaded, rows are kept as they were read, and that stays to be decided", async () => {
  const { client, pages, server, status, statuses, close } = await failSecondPage();
  const page = read([], { createdBefore: null, skip: 0 });
  keepReadRuns(client, 1, noFilter, { page, watched: [row(4, "completed")], goneIds: [3] });
  assert.deepEqual(statuses(), ["4 completed", "2 running"]);
  assert.equal(status(), "error");
  server.isFailing = false;
  await pages.fetchNextPage();
  assert.deepEqual(statuses(), ["4 completed", "2 running", "1 running"]);
  assert.equal(status(), "success");
  close();
});

test("after a page could not be loaded, showing the tab again loads nothing and moves no row", async () => {
  const { client, asked, status, close } = await failSecondPage();
  client.mount();
  const before = [...asked];
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(asked, before);
  assert.equal(status(), "error");
  focusManager.setFocused(undefined);
  client.unmount();
  close();
});
