import assert from "node:assert/strict";
import test from "node:test";
import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import type { Run } from "#lib/contract/run.ts";
import { noFilter } from "./run-filter.ts";
import {
  flattenRuns,
  keepEndedRuns,
  nextRunsPage,
  type RunsPagePosition,
  runsHeadQuery,
  runsQuery,
  withEndedRuns,
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

test("a watched run that was deleted is reported as gone, and the rest is current", async () => {
  const client = new QueryClient();
  const problem = { code: "not_found", detail: "no such run" };
  const transport = async (path: string) =>
    path.endsWith("/3")
      ? Response.json(at(3, 30))
      : path.endsWith("/2")
        ? Response.json(problem, { status: 404 })
        : Response.json(read([at(4, 40)], { createdBefore: null, skip: 0 }));
  const head = await client.fetchQuery(runsHeadQuery(1, noFilter, () => [4, 3, 2], transport));
  assert.deepEqual(
    [head.page.items.map(({ id }) => id), head.watched.map(({ id }) => id), head.goneIds],
    [[4], [3], [2]],
  );
  const pages = { pages: [read([at(4, 40), at(2, 20)], { createdBefore: null, skip: 0 })], pageParams: [] };
  assert.deepEqual(
    flattenRuns(withEndedRuns(pages, head)).map(({ id }) => id),
    [4],
  );
  client.clear();
});

test("however many runs are live, those that ended and so left the filter are read, and not watched any longer", async () => {
  const client = new QueryClient();
  const row = (id: number, status: Run["status"]) => ({ ...at(id, id), status }) as Run;
  const live = Array.from({ length: 40 }, (_, index) => row(40 - index, "running"));
  const ended = new Set([40, 31]);
  const transport = async (path: string) => {
    const id = Number(/\/run\/(\d+)$/.exec(path)?.[1]);
    if (!Number.isNaN(id)) return Response.json(row(id, ended.has(id) ? "completed" : "running"));
    return Response.json(
      read(
        live.filter((run) => !ended.has(run.id)),
        { createdBefore: null, skip: 0 },
        20,
      ),
    );
  };
  const liveIds = live.map(({ id }) => id);
  const head = await client.fetchQuery(runsHeadQuery(1, noFilter, () => liveIds, transport));
  assert.equal(head.watched.length, 10);
  const pages = { pages: [read(live, { createdBefore: null, skip: 0 }, 40)], pageParams: [] };
  const known = flattenRuns(withEndedRuns(pages, head));
  assert.deepEqual(
    known.filter(({ status }) => status === "completed").map(({ id }) => id),
    [40, 31],
  );
  assert.equal(known.length, 40);
  client.clear();
});

test("of many live runs further down the oldest are read: they are at work while the others are queued", async () => {
  const client = new QueryClient();
  const row = (id: number, status: Run["status"]) => ({ ...at(id, id), status }) as Run;
  const left = 92;
  const live = Array.from({ length: 100 }, (_, index) => row(100 - index, index < 96 ? "queued" : "running"));
  const transport = async (path: string) => {
    const id = Number(/\/run\/(\d+)$/.exec(path)?.[1]);
    if (!Number.isNaN(id)) return Response.json(row(id, id === 1 ? "completed" : "running"));
    const listed = live.filter((run) => run.id !== left);
    return Response.json(read(listed, { createdBefore: null, skip: 0 }, 50));
  };
  const liveIds = live.map(({ id }) => id);
  const head = await client.fetchQuery(runsHeadQuery(1, noFilter, () => liveIds, transport));
  assert.deepEqual(
    head.watched.map(({ id }) => id),
    [left, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  client.clear();
});

test("a run that ended is kept in the pages; while the rest could not be loaded, that stays to be decided", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const row = (id: number, status: Run["status"]) => ({ ...at(id, id), status }) as Run;
  let isFailing = true;
  const transport = async (path: string) => {
    const isFirst = !path.includes("created_before");
    if (isFailing && !isFirst) return Response.json({ code: "internal", detail: "no" }, { status: 500 });
    const items = isFirst ? [row(2, "running")] : [row(1, "running")];
    return Response.json({ items, total: isFirst ? 2 : 1, page: 1, size: 1, pages: 2 });
  };
  const query = runsQuery(1, noFilter, transport);
  await client.fetchInfiniteQuery(query);
  const pages = new InfiniteQueryObserver(client, query);
  const page = read([], { createdBefore: null, skip: 0 });
  const keep = () => keepEndedRuns(client, 1, noFilter, { page, watched: [row(2, "completed")], goneIds: [] });
  const statuses = () => flattenRuns(client.getQueryData(query.queryKey)).map(({ status }) => status);

  await pages.fetchNextPage();
  keep();
  assert.equal(client.getQueryState(query.queryKey)?.status, "error");
  isFailing = false;
  await pages.fetchNextPage();
  assert.deepEqual(statuses(), ["running", "running"]);
  keep();
  assert.deepEqual(statuses(), ["completed", "running"]);
  client.clear();
});
