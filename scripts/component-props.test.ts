import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const propsMax = 12;
const root = fileURLToPath(new URL("..", import.meta.url));

/** A type with a name, or a component with the type of its props. */
type Named = { name: string; type: string; file: string };

/** Where the text ends that begins at `from`: at one of these characters outside all brackets, or at a bracket closed. */
function endOf(text: string, from: number, ends: string): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (depth === 0 && ends.includes(char)) return at;
    if ("{([<".includes(char)) depth += 1;
    else if ("})]".includes(char) || (char === ">" && text[at - 1] !== "=")) depth -= 1;
    if (depth < 0) return at;
  }
  return text.length;
}

/** The parts between these characters, outside all brackets. */
function partsOf(text: string, separators: string): string[] {
  const end = endOf(text, 0, separators);
  const part = text.slice(0, end).trim();
  return [...(part === "" ? [] : [part]), ...(end < text.length ? partsOf(text.slice(end + 1), separators) : [])];
}

function typesIn(text: string, file: string): Named[] {
  return [...text.matchAll(/^(?:export )?type (\w+)(?:<.*>)? =/gm)].map(({ 0: { length }, 1: name = "", index }) => {
    const from = index + length;
    return { name, file, type: text.slice(from, endOf(text, from, ";")) };
  });
}

function componentsIn(text: string, file: string): Named[] {
  return [...text.matchAll(/function ([A-Z]\w*)(?:<[^(]*>)?\(/g)].map(({ 0: { length }, 1: name = "", index }) => {
    const from = endOf(text, index + length, ":");
    return { name, file, type: text.slice(from + 1, endOf(text, from + 1, "),")) };
  });
}

/** Reads the sources of components; their props can be asked for by the type. */
function readProps(sources: readonly { file: string; text: string }[]) {
  const plain = sources.map(({ file, text }) => ({
    file,
    text: text.replaceAll(/\/\*\*[\s\S]*?\*\/|^ *\/\/.*$/gm, ""),
  }));
  const types = plain.flatMap(({ file, text }) => typesIn(text, file));
  const components = plain.flatMap(({ file, text }) => componentsIn(text, file));

  /** Names of the props that a type has. What other packages and the DOM add is not counted. `within`: what it was found in. */
  const propsOf = ({ type, file }: Named, within: readonly Named[] = []): string[] => {
    const inside = (part: string) => propsOf({ name: "", type: part, file }, within);
    const [part = "", ...others] = partsOf(type, "&|");
    if (others.length > 0) return [...new Set([part, ...others].flatMap(inside))];
    if (part.startsWith('"')) return [part.slice(1, -1)];
    if (part.startsWith("{")) {
      const members = partsOf(part.slice(1, -1), ";");
      return members.flatMap((member) => /^(?:readonly )?"?([\w-]+)"?\??[:(]/.exec(member)?.[1] ?? []);
    }
    const [, name = "", inner = ""] = /^(\w+)(?:<([\s\S]*)>)?$/.exec(part) ?? [];
    const [from = "", chosen = ""] = partsOf(inner, ",");
    if (name === "Omit") return inside(from).filter((prop) => !inside(chosen).includes(prop));
    if (name === "Pick") return inside(chosen);
    const component = name === "ComponentProps" ? /^typeof .*?(\w+)$/.exec(from)?.[1] : undefined;
    // A component may have the name of the one that it loads.
    const named = (component === undefined ? types : components).filter(
      (one) => one.name === (component ?? name) && !within.includes(one),
    );
    const found = named.find((one) => one.file === file) ?? named[0];
    return found === undefined ? [] : propsOf(found, [...within, found]);
  };
  return { types, components, propsOf };
}

test("props are counted through the types that a type is made of", () => {
  const file = "a.tsx";
  const text = `
type AProps = {
  /** What it is; what it does. */
  one: string;
  "aria-label"?: string;
  onThree: (value: { four: string }) => void;
};
type Some = "one" | "onThree";
export function A({ one, onThree = () => {} }: AProps) {}
export function B({ five, ...props }: Omit<AProps, "one"> & { five: string }) {}
const C = memo(function C(props: Pick<AProps, Some> & ComponentProps<"div">) {});
function D(props: ComponentProps<typeof parts.B>) {}
`;
  const { components, propsOf } = readProps([{ file, text }]);
  assert.deepEqual(
    components.map((one) => propsOf(one, [one]).join(" ")),
    ["one aria-label onThree", "aria-label onThree five", "one onThree", "aria-label onThree five"],
  );
});

test("no component takes more than 12 props", () => {
  const files = globSync("components/**/*.{ts,tsx}", { cwd: root });
  const { types, components, propsOf } = readProps(
    files.map((file) => ({ file, text: readFileSync(`${root}${file}`, "utf8") })),
  );
  const props = [...types.filter(({ name }) => name.endsWith("Props")), ...components];
  const counts = props.map((one) => ({ ...one, count: propsOf(one, [one]).length }));
  assert.ok(counts.filter(({ count }) => count > 0).length > 400, `${counts.length} types of props are found`);
  const tooMany = counts.filter(({ count }) => count > propsMax);
  assert.deepEqual(
    tooMany.map(({ name, file, count }) => `${name} (${file}): ${count}`),
    [],
  );
});
