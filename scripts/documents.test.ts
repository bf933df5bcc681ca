import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const documents = globSync("{*.md,{components,docs,examples,lib}/**/*.md}", {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
});

/** The anchors of a document's headings, as code hosts make them. */
function anchorsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every link of a document leads to a file, and to a heading where it names one", () => {
  const broken: string[] = [];
  let count = 0;
  for (const document of documents) {
    for (const [link, path = "", anchor] of read(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      count += 1;
      const target = path === "" ? document : join(dirname(document), path);
      const isThere = existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
      if (!isThere) broken.push(`${document}: ${link}`);
    }
  }
  assert.ok(count > 10, "links are found");
  assert.deepEqual(broken, []);
});

test("docs/settings.md has every setting that is read, and no other", () => {
  const settings = [...read("lib/config.ts").matchAll(/^ {2}((?:ERRAND_)?[A-Z_]+):/gm)].map(([, name]) => name);
  // Given by the supervisor, not by people.
  const own = settings.filter((name) => name !== "ERRAND_MODE");
  const described = new Set(
    [...read("docs/settings.md").matchAll(/`((?:ERRAND_)[A-Z_]+|PORT|HOST)[`=/]/g)].map(([, name]) => name),
  );
  assert.deepEqual([...described].sort(), own.sort());
});
