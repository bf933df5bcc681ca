/**
 * Of two Tailwind classes that set the same thing under the same conditions, keeps the later one. It knows the classes of
 * this project, which a test holds against what tailwind-merge does with all of them, at a tenth of its size.
 */
export function mergeClasses(classes: string): string {
  let merged = known.get(classes);
  if (merged === undefined) {
    merged = merge(classes);
    if (known.size >= knownMax) known.clear();
    known.set(classes, merged);
  }
  return merged;
}

const known = new Map<string, string>();
const knownMax = 500;

function merge(classes: string): string {
  const taken = new Set<string>();
  const kept: string[] = [];
  for (const name of classes.trim().split(/\s+/).reverse()) {
    const { conditions, base } = partsOf(name);
    const group = groupOf(base);
    if (group !== null) {
      if (taken.has(conditions + group)) continue;
      for (const other of [group, ...(alsoSets[group] ?? [])]) taken.add(conditions + other);
    }
    kept.push(name);
  }
  return kept.reverse().join(" ");
}

/** `hover:[&_svg]:-mt-1!` is mt-1 under the conditions hover and [&_svg], importantly. */
function partsOf(name: string): { conditions: string; base: string } {
  let depth = 0;
  let start = 0;
  for (let place = 0; place < name.length; place++) {
    const sign = name[place];
    if (sign === "[" || sign === "(") depth += 1;
    else if (sign === "]" || sign === ")") depth -= 1;
    else if (sign === ":" && depth === 0) start = place + 1;
  }
  const isImportant = name.endsWith("!");
  const base = name.slice(start, isImportant ? -1 : undefined);
  return {
    conditions: name.slice(0, start) + (isImportant ? "!" : ""),
    base: base.startsWith("-") ? base.slice(1) : base,
  };
}

/** What a class sets, or null for a class that is not Tailwind's: the first that fits. */
function groupOf(base: string): string | null {
  const property = /^\[([\w-]+):/.exec(base)?.[1];
  if (property !== undefined) return `[${property}`;
  for (const [pattern, group] of groups) {
    const found = pattern.exec(base);
    if (found !== null) return group ?? found[1] ?? null;
  }
  return null;
}

const size = "(?:\\[(?:length:)?[\\d.]|\\d|px$|full$|auto$|xs|sm|base|lg|xl)";
const groups: [pattern: RegExp, group?: string][] = [
  [
    /^(?:block|inline-block|inline|flex|inline-flex|grid|inline-grid|contents|hidden|table|list-item|flow-root)$/,
    "display",
  ],
  [/^(?:static|fixed|absolute|relative|sticky)$/, "position"],
  [/^(?:not-)?sr-only$/, "sr"],
  [/^(?:in)?visible$/, "visibility"],
  [/^text-(?:left|center|right|start|end)$/, "text-align"],
  [/^text-(?:balance|pretty|wrap|nowrap)$/, "text-wrap"],
  [/^break-(?:words|all|normal|keep)$/, "break"],
  [/^(line-clamp)-/],
  [new RegExp(`^text-${size}`), "text-size"],
  [/^(?:truncate|text-ellipsis)$/, "text-overflow"],
  [/^text-/, "text-color"],
  [/^font-(?:normal|medium|semibold|bold)$/, "font-weight"],
  [/^font-(?:sans|mono)$/, "font-family"],
  [/^(?:not-)?italic$/, "font-style"],
  [/^(?:underline|line-through|no-underline)$/, "decoration-line"],
  [/^underline-offset-/, "underline-offset"],
  [/^(?:tabular|normal|proportional)-nums$/, "numbers"],
  [/^decoration-(?:solid|dotted|dashed|wavy)$/, "decoration-style"],
  [
    /^(leading|tracking|whitespace|align|list|cursor|select|touch|pointer-events|z|order|opacity|animate|duration|fill)-/,
  ],
  [/^stroke-[\d[]/, "stroke-width"],
  [/^bg-/, "bg"],
  [/^(border-[xytrbl])(?:$|-\d)/],
  [/^border(?:-\d)?$/, "border"],
  [/^border-(?:solid|dashed|dotted)$/, "border-style"],
  [/^border-(?:collapse|separate)$/, "border-collapse"],
  [/^(border-[xytrbl]-)/],
  [/^border-/, "border-color"],
  [/^(rounded(?:-[trbl]{1,2})?)(?:$|-)/],
  [/^flex-(?:row|col)/, "flex-direction"],
  [/^flex-(?:no)?wrap/, "flex-wrap"],
  [/^(flex|shrink|grow|basis)(?:$|-)/],
  [/^(grid-cols|grid-rows|auto-rows|auto-cols)-/],
  [/^((?:col|row)-(?:start|end))-/],
  [/^(col|row)-/],
  [/^(items|justify-items|justify-self|justify|content|self|place-content|place-items|place-self)-/],
  [/^(gap(?:-[xy])?|space-[xy])-/],
  [/^((?:min|max)-[wh])-/],
  [/^(size|[wh])-/],
  [/^([pm][xytrbl]?)-/],
  [/^(scroll-[pm][xytrbl]?)-/],
  [/^(inset(?:-[xy])?|top|right|bottom|left)-/],
  [/^(translate-[xy]|rotate|scale)-/],
  [/^(overflow(?:-[xy])?)-/],
  [/^object-(?:contain|cover)$/, "object-fit"],
  [/^resize(?:$|-)/, "resize"],
  [/^transition(?:$|-)/, "transition"],
  [/^shadow(?:$|-(?:xs|sm|md|lg|xl|none|\[))/, "shadow"],
  [/^shadow-/, "shadow-color"],
  [/^outline-offset-/, "outline-offset"],
  [/^outline(?:$|-\d)/, "outline-width"],
  [/^outline-(?:none|hidden|solid|dashed)$/, "outline-style"],
  [/^outline-/, "outline-color"],
];

/** What a class sets besides its own group. */
const alsoSets: Record<string, readonly string[]> = {
  "text-size": ["leading"],
  "line-clamp": ["display", "overflow"],
  border: ["border-x", "border-y", "border-t", "border-r", "border-b", "border-l"],
  "border-x": ["border-r", "border-l"],
  "border-y": ["border-t", "border-b"],
  p: ["px", "py", "pt", "pr", "pb", "pl"],
  px: ["pr", "pl"],
  py: ["pt", "pb"],
  m: ["mx", "my", "mt", "mr", "mb", "ml"],
  mx: ["mr", "ml"],
  my: ["mt", "mb"],
  size: ["w", "h"],
  gap: ["gap-x", "gap-y"],
  inset: ["inset-x", "inset-y", "top", "right", "bottom", "left"],
  "inset-x": ["right", "left"],
  "inset-y": ["top", "bottom"],
  overflow: ["overflow-x", "overflow-y"],
  flex: ["basis", "grow", "shrink"],
};
