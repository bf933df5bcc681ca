import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const propsMax = 12;
const root = fileURLToPath(new URL("..", import.meta.url));

/** Types of objects as the formatter writes them: the members of each, and the names of the types that it is joined with. */
function objectTypesOf(text: string): { name: string; members: number; joined: string[] }[] {
  const type = /^(?:export )?type (\w+)(?:<.*>)? =((?: [^{}=]+ &)*)\s+\{(?: (.*) |\n([\s\S]*?)\n *)\}(.*);$/gm;
  return [...text.matchAll(type)].map(([, name = "", before = "", line, lines = "", after = ""]) => ({
    name,
    members: line?.split(/; (?=\w+\??:)/).length ?? [...lines.matchAll(/^ {2,4}(?:\w+|"[\w-]+")\??[:(]/gm)].length,
    joined: [...`${before}&${after}`.matchAll(/(\w+) (?=&)|& (\w+)/g)].map(([, one, other]) => one ?? other ?? ""),
  }));
}

test("no component takes more than 12 props", () => {
  const files = globSync("components/**/*.{ts,tsx}", { cwd: root });
  const types = files.flatMap((file) => objectTypesOf(readFileSync(`${root}${file}`, "utf8")));
  const props = types.filter(({ name }) => name.endsWith("Props"));
  assert.ok(props.length > 200, `${props.length} types of props are found`);
  const countOf = (name: string): number => {
    const counts = types.filter((type) => type.name === name).map(({ members, joined }) => members + sum(joined));
    return Math.max(0, ...counts);
  };
  const sum = (names: string[]) => names.reduce((total, name) => total + countOf(name), 0);
  const tooMany = props
    .map(({ name }) => `${name}: ${countOf(name)}`)
    .filter((line) => Number(line.split(" ")[1]) > propsMax);
  assert.deepEqual(tooMany, []);
});
