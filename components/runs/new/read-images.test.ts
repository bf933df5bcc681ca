import assert from "node:assert/strict";
import test from "node:test";
import { addImages } from "./read-images.ts";

/** The browser's reader; it cannot read files named gone.png. */
class Reader {
  result: string | null = null;
  onload = () => {};
  onerror = () => {};
  readAsDataURL(file: File) {
    this.result = `data:${file.name}`;
    queueMicrotask(() => (file.name === "gone.png" ? this.onerror() : this.onload()));
  }
}

const image = (name: string) => new File(["x"], name, { type: "image/png" });

test("an image that cannot be read is named, and the others are added", async () => {
  Object.assign(globalThis, { FileReader: Reader });
  assert.deepEqual(await addImages(["data:a.png"], [image("gone.png"), image("b.png"), image("a.png")]), {
    images: ["data:a.png", "data:b.png"],
    refusals: ["gone.png could not be read."],
  });
});
