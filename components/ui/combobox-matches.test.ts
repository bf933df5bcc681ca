import assert from "node:assert/strict";
import { test } from "node:test";
import { type ComboboxOption, matchOptions } from "./combobox-matches.ts";

const none: ComboboxOption = { value: "", label: "No repository", description: "An empty one", isNone: true };
const repository = (label: string, description?: string): ComboboxOption => ({
  value: label,
  label,
  ...(description === undefined ? {} : { description }),
});
const found = (options: ComboboxOption[], typed: string) => matchOptions(options, typed).map(({ label }) => label);

test("without text, all options keep their order", () => {
  const options = [repository("b"), none, repository("a")];
  assert.deepEqual(found(options, ""), ["b", "No repository", "a"]);
  assert.deepEqual(found(options, "  "), ["b", "No repository", "a"]);
});

test("the option for none comes after every real match, wherever it is in the list, and only if it matches itself", () => {
  const options = [none, repository("team/notes"), repository("team/no")];
  assert.deepEqual(found(options, "no"), ["team/no", "team/notes", "No repository"]);
  assert.deepEqual(found(options, "notes"), ["team/notes"]);
  assert.deepEqual(found(options, "No rep"), ["No repository"]);
  assert.deepEqual(found(options, "empty"), []);
});

test("the best match is first: the whole name, then its beginning, then the beginning of a word, then anywhere", () => {
  const options = ["team/legacy-rapid", "acme-api-tools", "team/api-client", "api/x", "team/api"].map((name) =>
    repository(name),
  );
  assert.deepEqual(found(options, "api"), [
    "team/api",
    "api/x",
    "team/api-client",
    "acme-api-tools",
    "team/legacy-rapid",
  ]);
});

test("every typed word must occur, in label, description or keywords, whatever its case", () => {
  const options = [repository("Web", "git@host:team/WEB.git"), { ...repository("Codex"), keywords: ["openai"] }];
  assert.deepEqual(found(options, "team web"), ["Web"]);
  assert.deepEqual(found(options, "OPENAI"), ["Codex"]);
  assert.deepEqual(found(options, "web codex"), []);
});

test("typing the name of the option for none selects it, even if a path happens to contain the same letters", () => {
  const paths = ["/tmp/errand repo aNoXyz", "/srv/repo/company"];
  const options = [none, ...paths.map((path, index) => repository(`team/${index}`, path))];
  assert.deepEqual(found(options, "no repo"), ["No repository", "team/0"]);
  assert.deepEqual(found(options, "No Repository"), ["No repository"]);
  // A single word may be the beginning of anything, and the label is what the reader sees.
  assert.deepEqual(found(options, "no"), ["team/0", "No repository"]);
  assert.deepEqual(found([none, repository("team/no-repo")], "no repo"), ["team/no-repo", "No repository"]);
});

test("options with the words in their label come before those with them in their description", () => {
  const options = [repository("team/a", "/srv/web/api"), repository("team/web-of-apis")];
  assert.deepEqual(found(options, "web api"), ["team/web-of-apis", "team/a"]);
  assert.deepEqual(found(options, "api"), ["team/web-of-apis", "team/a"]);
});
