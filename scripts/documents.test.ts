import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readConfig } from "#lib/config.ts";

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

test("every link of a document leads to a file, and to a heading if it names one", () => {
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

test("docs/settings.md lists every setting that is read, and no other", () => {
  const settings = [...read("lib/config.ts").matchAll(/^ {2}((?:ERRAND_)?[A-Z_]+):/gm)].map(([, name]) => name);
  // Given by the supervisor, not by people.
  const own = settings.filter((name) => name !== "ERRAND_MODE");
  const described = new Set(
    [...read("docs/settings.md").matchAll(/`((?:ERRAND_)[A-Z_]+|PORT|HOST)[`=/]/g)].map(([, name]) => name),
  );
  assert.deepEqual([...described].sort(), own.sort());
});

test("docs/settings.md gives the default that a setting has", () => {
  // In words, or what follows from other settings.
  const inWords = ["ERRAND_PUBLIC_URL", "ERRAND_SECRET_KEY", "ERRAND_OIDC_ALLOWED_DOMAINS"];
  const rows = [...read("docs/settings.md").matchAll(/^\| `([A-Z_]+)` \| ([^|]+?) \|/gm)];
  const defaults = Object.fromEntries(
    rows.flatMap(([, name = "", value = ""]) => (inWords.includes(name) ? [] : [[name, value]])),
  );
  assert.ok(Object.keys(defaults).length > 25, "defaults are found");
  const needed = {
    NODE_ENV: "test",
    ERRAND_OIDC_ISSUER: "https://id.example",
    ERRAND_OIDC_CLIENT_ID: "errand",
  } as const;
  const configOf = (given: Record<string, string>) => ({ ...readConfig({ ...needed, ...given }), environment: null });
  assert.deepEqual(configOf(defaults), configOf({}));
});

test("README and ARCHITECTURE can be read in one go", () => {
  for (const document of ["README.md", "ARCHITECTURE.md"]) {
    const lines = read(document).trimEnd().split("\n").length;
    assert.ok(lines <= 160, `${document} has ${lines} lines, more than 160`);
  }
});

test("a jump passes at most 14 files of the viewer, and each that the fourth walk names is there", () => {
  const [, walk = ""] = read("ARCHITECTURE.md").match(/^4\. \*\*A jump\.\*\*([\s\S]*?)^5\. /m) ?? [];
  const named = [...walk.matchAll(/`(?:\{([a-z,-]+)\})?([a-z-]*\.tsx?)`/g)].flatMap(([, choices, end = ""]) =>
    (choices?.split(",") ?? [""]).map((start) => `${start}${end}`),
  );
  const files = new Set(globSync("components/trace/**/*.{ts,tsx}", { cwd: root }).map((path) => basename(path)));
  assert.deepEqual(
    named.filter((name) => !files.has(name)),
    [],
  );
  assert.ok(named.length > 10 && named.length <= 14, `the walk names ${named.length} files`);
});

test("a file of more than 300 lines says why in its first comment", () => {
  const sources = globSync("{app,bench,components,e2e,examples,lib,scripts}/**/*.{ts,tsx,mjs}", {
    cwd: root,
    exclude: (path) => path.includes("node_modules"),
  });
  const long = sources.filter((path) => read(path).trimEnd().split("\n").length > 300);
  assert.ok(sources.length > 1000, "sources are found");
  assert.deepEqual(
    long.filter((path) => !/^(?:\/\/|\/\*)/.test(read(path))),
    [],
  );
});

test("the README of a folder of components names each of its files", () => {
  const readmes = globSync("components/*/README.md", { cwd: root });
  assert.ok(readmes.length > 1);
  const unnamed = readmes.flatMap((readme) => {
    const text = read(readme);
    const files = globSync(`${dirname(readme)}/*.{ts,tsx}`, { cwd: root }).filter(
      (path) => !/\.(?:test|fixture)\.ts$/.test(path),
    );
    return files.filter((path) => !text.includes(`\`${basename(path)}\``));
  });
  assert.deepEqual(unnamed, []);
});
