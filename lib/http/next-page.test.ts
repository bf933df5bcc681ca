import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

type Listed = { items: { id: number; status: string }[]; total: number; page: number; pages: number };

/** All rows from an address on, by the links to the next pages; `between` happens before each of them. */
async function follow(first: string, between: () => Promise<unknown> = async () => {}) {
  const pages: Listed[] = [];
  for (let path: string | undefined = first; path !== undefined; await between()) {
    const { status, json, headers } = await api.ask("GET", path, { token });
    assert.equal(status, 200, path);
    pages.push(json as Listed);
    const link: string | undefined = /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
    path = link === undefined ? undefined : link.slice(new URL(link).origin.length);
    assert.ok(pages.length < 50);
  }
  return pages;
}

test("by the links, each run that was there is read once while new ones come, with its filters", async () => {
  const made: number[] = [];
  for (let count = 0; count < 25; count += 1) made.unshift((await api.run()).id);
  const pages = await follow("/v1/organizations/1/agent/runs?limit=10&status=queued", () => api.run());
  assert.deepEqual(
    pages.map(({ items }) => items.length),
    [10, 10, 5],
  );
  assert.deepEqual(
    pages.flatMap(({ items }) => items.map(({ id }) => id)),
    made,
  );
  // One more has come before each of the later pages.
  assert.deepEqual(
    pages.map(({ total, page, pages: all }) => [total, page, all]),
    [
      [25, 1, 3],
      [26, 2, 3],
      [27, 3, 3],
    ],
  );
  const older = await follow("/v1/organizations/1/agent/runs?page=2&size=10");
  assert.equal(older[0]?.items.length, 10);
  assert.equal(
    new Set(older.flatMap(({ items }) => items.map(({ id }) => id))).size,
    older[0] ? older[0].total - 10 : 0,
  );
});

test("other lists go on by skip, and the last page has no link", async () => {
  for (let count = 0; count < 4; count += 1) await api.token("viewer");
  const pages = await follow("/v1/organizations/1/tokens?skip=1&limit=2");
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
  assert.equal(ids.length, (pages[0]?.total ?? 0) - 1);
  assert.equal(new Set(ids).size, ids.length);
  const one = await api.ask("GET", "/v1/organizations/1/users", { token });
  assert.equal(one.headers.get("link"), null);
  const twice = await follow("/v1/organizations/1/tokens?skip=&skip=9&skip=1&limit=2&page=");
  assert.deepEqual(
    twice.flatMap(({ items }) => items.map(({ id }) => id)),
    ids,
  );
});
