import assert from "node:assert/strict";
import { test } from "node:test";
import { allPages } from "./all-pages.ts";

const people = Array.from({ length: 250 }, (_, id) => id);

test("all rows of a long list are read, in order, in as few requests as there are pages", async () => {
  const asked: number[] = [];
  const all = await allPages(async ({ skip, limit }) => {
    asked.push(skip);
    return { items: people.slice(skip, skip + limit), total: people.length };
  });
  assert.deepEqual(all, { items: people, total: 250 });
  assert.deepEqual(asked, [0, 100, 200]);
  assert.deepEqual(await allPages(async () => ({ items: [], total: 0 })), { items: [], total: 0 });
});

test("reading a list that gets shorter meanwhile still ends", async () => {
  const all = await allPages(async ({ skip }) => ({ items: skip === 0 ? [1] : [], total: 2 }));
  assert.deepEqual(all, { items: [1], total: 1 });
});
