import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { jsx, jsxs } from "./jsx-runtime.ts";

const title = "Title \u202Egnp.exe\u2066 x";
const marked = "Title ⟦U+202E⟧gnp.exe⟦U+2066⟧ x";

test("every text of an element is marked, however it got there, and its attributes that people read", () => {
  const Passing = ({ children }: { children: string }) => jsx("b", { children });
  for (const element of [
    jsx("p", { children: title }),
    jsxs("p", { children: ["#", 1, title] }),
    jsx(Fragment, { children: title }),
    jsx(Passing, { children: title }),
    jsx("p", { children: [title].map((one) => jsx("i", { children: one }, one)) }),
    jsx("p", { title, "aria-label": title }),
    jsx("img", { alt: title }),
    // A package's component, compiled with React's own JSX.
    jsx(({ children }: { children: string }) => createElement("a", null, children), { children: title }),
    jsx("input", { placeholder: title }),
  ]) {
    const html = renderToStaticMarkup(element);
    assert.ok(html.includes(marked) && !html.includes("\u202E"), html);
  }
});

test("what is no text for people stays as it is, and so do titles of all scripts", () => {
  const value = renderToStaticMarkup(jsx("input", { defaultValue: title, type: "text" }));
  assert.ok(value.includes(title));
  for (const text of ["plain", "תיקון", "إصلاح", "می‌خواهم", "👩‍👩‍👧‍👦"]) {
    const props = { children: text };
    assert.equal(renderToStaticMarkup(jsx("p", props)), `<p>${text}</p>`);
  }
});
