import assert from "node:assert/strict";
import test from "node:test";
import { createElement, isValidElement } from "react";
import { Lend } from "./lend.ts";

function propsOf(element: unknown): Record<string, unknown> {
  assert.ok(isValidElement<Record<string, unknown>>(element));
  return element.props;
}

test("a child gets what is lent, and keeps what it has itself", () => {
  const child = createElement("a", { title: "own" }, "Go");
  const props = propsOf(Lend({ title: "lent", "aria-haspopup": "menu", children: child }));
  assert.deepEqual(props, { title: "own", "aria-haspopup": "menu", children: "Go" });
});

test("where both listen to an event, both are called with it, the child first", () => {
  const seen: string[] = [];
  const note = (who: string) => (event: unknown) => seen.push(`${who} ${event}`);
  const child = createElement("a", { onClick: note("own") });
  const { onClick } = propsOf(Lend({ onClick: note("lent"), children: child }));
  assert.ok(typeof onClick === "function");
  onClick("click");
  assert.deepEqual(seen, ["own click", "lent click"]);
});
