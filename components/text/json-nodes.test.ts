import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { JsonNode } from "./json-nodes.ts";
import { JsonNodes, pathOfNode } from "./json-nodes.ts";

const shownOf = (tree: JsonNodes) =>
  tree.rows().map((row) => (row.kind === "more" ? `+${row.hidden}` : pathOfNode(row.node)));

test("two levels are open at first, and values with more than 20 children are closed", () => {
  const tree = new JsonNodes({ a: { b: { c: 1 } }, many: Array(21).fill(0), few: [1, 2], none: {} });
  assert.deepEqual(shownOf(tree), ["$", "$.a", "$.a.b", "$.many", "$.few", "$.few[0]", "$.few[1]", "$.none"]);
});

test("a value with many children shows a hundred at a time, and all of them in the end", () => {
  const tree = new JsonNodes(Array.from({ length: 250 }, (_, index) => index));
  assert.equal(shownOf(tree).length, 102);
  assert.equal(shownOf(tree).at(-1), "+150");
  tree.showMore(tree.root);
  tree.showMore(tree.root);
  assert.equal(shownOf(tree).length, 251);
  assert.equal(shownOf(tree).at(-1), "$[249]");
});

test("a value nested ten thousand deep can be opened to its bottom", () => {
  let value: unknown = "bottom";
  for (let depth = 0; depth < 10_000; depth++) value = depth % 2 === 0 ? [value] : { x: value };
  const tree = new JsonNodes(value);
  for (let node: JsonNode | undefined = tree.root; node !== undefined; node = tree.childrenOf(node)[0])
    tree.setOpen(node, true);
  const rows = tree.rows();
  assert.equal(rows.length, 10_001);
  assert.equal(rows.at(-1)?.node.value, "bottom");
});

test("closing a value hides what is below, and it is as before when opened again", () => {
  const tree = new JsonNodes({ a: { b: 1 } });
  const child = tree.childrenOf(tree.root)[0];
  assert.ok(child !== undefined);
  tree.setOpen(tree.root, false);
  assert.deepEqual(shownOf(tree), ["$"]);
  tree.setOpen(tree.root, true);
  assert.deepEqual(shownOf(tree), ["$", "$.a", "$.a.b"]);
});

test("only values with contents can be opened", () => {
  const tree = new JsonNodes({ e: {}, s: "short", l: "x".repeat(500), n: null, t: true, u: undefined });
  const foldable = tree.childrenOf(tree.root).filter((node) => tree.isFoldable(node));
  assert.deepEqual(
    foldable.map((node) => node.key),
    ["l"],
  );
  assert.deepEqual(new JsonNodes(5).rows().length, 1);
});

test("keys are written so that the path can be used", () => {
  const tree = new JsonNodes({ "a b": { __proto__x: [0] }, constructor: 1 });
  assert.deepEqual(shownOf(tree), ["$", '$["a b"]', '$["a b"].__proto__x', "$.constructor"]);
});

test("a match is opened: everything around it, further pages of children, and a long text", () => {
  const value = {
    first: Array.from({ length: 250 }, (_, index) => ({ name: `item ${index}` })),
    second: { text: `${"x\n".repeat(200)}the needle`, count: 42 },
  };
  const shownOf = (tree: JsonNodes) => tree.rows().flatMap((row) => (row.kind === "node" ? [row.node.value] : []));
  const tree = new JsonNodes(value);
  assert.ok(!shownOf(tree).includes("item 230"));
  assert.ok(tree.reveal((leaf) => leaf === "item 230"));
  assert.ok(shownOf(tree).includes("item 230"));
  assert.ok(tree.reveal((leaf) => String(leaf).includes("needle")));
  const text = tree.rows().find((row) => row.kind === "node" && row.node.key === "text");
  assert.ok(text?.kind === "node" && text.node.isOpen);
  assert.ok(tree.reveal((leaf) => leaf === "42"));
  assert.ok(!tree.reveal((leaf) => leaf === "nowhere"));
  const isLooked = new JsonNodes("just a text").reveal((leaf) => leaf === "just a text");
  assert.ok(isLooked);
});

test("a number that JavaScript cannot hold is a number without children, and is found by its digits", () => {
  const tree = new JsonNodes(parseExactJson('{"ids":[107505301260286111],"rate":-1e400}'));
  const [ids, rate] = tree.childrenOf(tree.root);
  assert.ok(ids !== undefined && rate !== undefined);
  const [id] = tree.childrenOf(ids);
  assert.deepEqual([id?.kind, String(id?.value), id?.size], ["number", "107505301260286111", 0]);
  assert.deepEqual([rate.kind, String(rate.value)], ["number", "-1e400"]);
  tree.setOpen(ids, false);
  assert.ok(tree.reveal((text) => text.includes("0286111")));
  assert.deepEqual(shownOf(tree), ["$", "$.ids", "$.ids[0]", "$.rate"]);
});

test("of a string only what is shown counts: for its length, its lines and what is found in it", () => {
  const tree = new JsonNodes({ out: "<b>error" }, (text) => text.replaceAll("<b>", ""));
  const [out] = tree.childrenOf(tree.root);
  assert.deepEqual([out?.value, out?.size], ["error", 5]);
  assert.ok(tree.reveal((text) => text === "error"));
});
