import assert from "node:assert/strict";
import { test } from "node:test";
import { imageSourcesOf } from "./image-sources.ts";

const urls = (value: unknown) => imageSourcesOf(value).map((source) => source.url);
const png = "data:image/png;base64,iVBORw0KGgo=";

test("data URLs and image blocks are found anywhere, each once", () => {
  assert.deepEqual(urls(png), [png]);
  assert.deepEqual(
    urls({
      result: [
        { type: "text", text: "x" },
        { type: "image", data: "AAAA", mimeType: "image/webp" },
      ],
    }),
    ["data:image/webp;base64,AAAA"],
  );
  const block = { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "BBBB" } };
  assert.deepEqual(urls({ content: [block, block, { url: png }] }), ["data:image/jpeg;base64,BBBB", png]);
});

test("nothing else is an image: no other scheme, no document, no text that is not base64", () => {
  for (const value of [
    "https://example.com/x.png",
    "javascript:alert(1)",
    "data:text/html;base64,AAAA",
    "data:image/svg+xml;base64,AAAA",
    'data:image/png;base64,AA"onerror="x',
    { type: "image", data: "AAAA", mimeType: "image/svg+xml" },
    { type: "image", data: "AAAA", mimeType: "image/png,x" },
    { type: "image", data: "https://example.com", mimeType: "image/png" },
    { type: "image", url: "https://example.com/x.png" },
    { data: "AAAA", mimeType: "image/png" },
    "data:image/png;base64,".concat("A".repeat(15_000_000)),
    null,
    7,
  ]) {
    assert.deepEqual(urls(value), [], JSON.stringify(value)?.slice(0, 80));
  }
});

test("the search ends, however many and however deep the values are", () => {
  assert.equal(urls(Array.from({ length: 100 }, (_, index) => `data:image/png;base64,${index + 1_000}`)).length, 8);
  assert.deepEqual(urls([...Array.from({ length: 100_000 }, () => ({})), png]), []);
  let deep: unknown = png;
  for (let depth = 0; depth < 10_000; depth++) deep = [deep];
  assert.deepEqual(urls(deep), []);
});
