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

/** The types of what components take: named in place (`{ a, b }: Named`), or written there (`{ a, b }: { a: string }`). */
function propsIn(text: string): { names: string[]; written: string[] } {
  const components = [
    ...text.matchAll(/function [A-Z]\w*(?:<[^(]*>)?\((?:\w+|\{[\s\S]*?\}): (?:(\w+)|\{([\s\S]*?)\n?\}\))/g),
  ];
  return {
    names: components.flatMap(([, name]) => name ?? []),
    written: components.flatMap(([, , members]) => members ?? []),
  };
}

test("no component takes more than 12 props", () => {
  const files = globSync("components/**/*.{ts,tsx}", { cwd: root });
  const texts = files.map((file) => readFileSync(`${root}${file}`, "utf8"));
  const types = texts.flatMap(objectTypesOf);
  const taken = texts.map(propsIn);
  const named = new Set(taken.flatMap(({ names }) => names));
  const props = types.filter(({ name }) => name.endsWith("Props") || named.has(name));
  const written = taken.flatMap((one) => one.written);
  assert.ok(written.length > 20, `${written.length} types written in place are found`);
  for (const members of written) {
    const count = [...members.matchAll(/(?:^|[\n;]) *\w+\??:/g)].length;
    assert.ok(count <= propsMax, `${count} props: ${members}`);
  }
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
