import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { secretLines, wholeSecrets } from "./known-secrets.ts";
import { secretSamples } from "./secret-samples.fixture.ts";

const root = join(import.meta.dirname, "../..");
const values = Object.values(secretSamples).map(({ value }) => value);

test("every random part of a key is found in the line where it begins, encoded, wrapped and colored too", () => {
  for (const [what, { value, parts }] of Object.entries(secretSamples)) {
    const find = secretLines([value]);
    const arePieces = ["a JSON web token", "a Slack address", "letters and digits"].includes(what);
    for (const part of arePieces ? [value] : [value, ...parts]) {
      const [half, rest] = [part.slice(0, part.length / 2), part.slice(part.length / 2)];
      const encoded =
        Buffer.from(part)
          .toString("base64")
          .match(/.{1,76}/g) ?? [];
      for (const lines of [part.split("\n"), encoded, [half, rest], [`${half}\u001b[0m${rest}`]]) {
        const found = find(["fine", ...lines, "fine too"]);
        assert.ok(found.has(1) || (found.size > 0 && part === value), `${what}: ${lines.join(" | ")}`);
        assert.ok(!found.has(0) && !found.has(lines.length + 1), what);
      }
    }
  }
});

test("a piece of a key is not found, nor are ordinary words and other people's text", () => {
  const find = secretLines([...values, "password", "workspace", "my-app-2"]);
  const { parts: [part = ""] = [] } = secretSamples["letters and digits"] ?? {};
  assert.deepEqual([...find([part.slice(0, 20), "password = workspace", "my-app-2"])], []);
  for (const file of ["docs/**/*.md", "node_modules/{openid-client,oauth4webapi,jose}/**/*.{js,ts,md,json}"].flatMap(
    (pattern) => globSync(pattern, { cwd: root }),
  )) {
    assert.deepEqual([...find(readFileSync(join(root, file), "utf8").split("\n"))], [], file);
  }
});

test("texts to search files for are of one line each, and none is an ordinary word", () => {
  const texts = wholeSecrets([...values, "password"]);
  assert.ok(texts.length > values.length);
  assert.deepEqual(
    texts.filter((text) => /[\r\n]/.test(text) || text === "password" || text.length < 8),
    [],
  );
});
