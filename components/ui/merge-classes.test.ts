import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { extendTailwindMerge } from "tailwind-merge";
import { mergeClasses } from "./merge-classes.ts";

const root = join(import.meta.dirname, "..", "..");
const reference = extendTailwindMerge({
  extend: { theme: { spacing: ["control", "control-sm", "bottom-bar"], animate: ["pop", "late", "turn", "breathe"] } },
});

test("any two classes of this project merge as tailwind-merge does it", () => {
  const classes = [...classesOfProject()];
  assert.ok(classes.length > 300);
  for (const one of classes) {
    for (const other of classes) {
      const both = `${one} ${other}`;
      if (one !== other) assert.equal(mergeClasses(both), reference(both));
    }
  }
});

test("conditions and importance keep classes apart; what is no class of Tailwind's stays", () => {
  for (const classes of [
    "p-2 hover:p-4 p-4!",
    "[&_svg]:size-4 [&_svg]:size-5 size-3",
    "data-[state=open]:bg-accent bg-card data-[state=open]:bg-muted",
    "group/tool own own p-1",
    "-mt-1 mt-2 -mx-1",
    "[scrollbar-width:none] [scrollbar-width:thin] [overflow-wrap:anywhere]",
  ]) {
    assert.equal(mergeClasses(classes), reference(classes));
  }
});

/** Every word of the sources that tailwind-merge takes for a class, without its conditions. */
function classesOfProject(): Set<string> {
  const found = new Set<string>();
  for (const file of globSync("{app,components}/**/*.{ts,tsx}", { cwd: root })) {
    if (/merge-classes|\.test\./.test(file)) continue;
    for (const [, text = ""] of readFileSync(join(root, file), "utf8").matchAll(/["'`]([^"'`\n]*)["'`]/g)) {
      for (const word of text.split(/\s+/)) {
        const base = word.replace(/^(?:[\w-]+(?:\[[^\]]*\])?(?:\/\w+)?:|\[[^\]]*\]:|\*+:)+/, "").replace(/!$/, "");
        if (/^[a-z[-]\S*$/.test(base) && reference(`${base} x ${base}`) === `x ${base}`) found.add(base);
      }
    }
  }
  return found;
}
