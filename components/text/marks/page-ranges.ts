import { spansIn } from "./text-spans.ts";

/** Elements whose text continues the line around them. */
const inline = new Set(["SPAN", "CODE", "A", "EM", "STRONG", "S", "DEL", "B", "I", "U", "MARK", "SUB", "SUP"]);
/** Content that is not the entry's text: numbers and signs beside it, words for screen readers, and controls. */
const beside =
  "[aria-hidden=true], [data-label], .select-none, .sr-only, button:not([role=treeitem]), input, textarea, [data-finder]";

/** Places on the page where a needle occurs in the text of an element, in order, at most `max`. */
export function rangesIn(root: Element, needle: string, max: number): Range[] {
  const ranges: Range[] = [];
  if (needle === "") return ranges;
  let run: Text[] = [];
  const close = () => {
    if (run.length > 0) ranges.push(...rangesOf(run, needle, max - ranges.length));
    run = [];
  };
  const visit = (element: Element) => {
    const isInline = inline.has(element.tagName);
    if (!isInline) close();
    for (let child = element.firstChild; child !== null && ranges.length < max; child = child.nextSibling) {
      if (child instanceof Text) run.push(child);
      else if (child instanceof Element && !child.matches(beside)) visit(child);
      else if (child instanceof Element) close();
    }
    if (!isInline) close();
  };
  visit(root);
  close();
  return ranges;
}

function rangesOf(nodes: readonly Text[], needle: string, max: number): Range[] {
  const spans = spansIn(
    nodes.map((node) => node.data),
    needle,
    max,
  );
  return spans.flatMap(({ fromPart, fromOffset, toPart, toOffset }) => {
    const [from, to] = [nodes[fromPart], nodes[toPart]];
    if (from === undefined || to === undefined) return [];
    const range = document.createRange();
    range.setStart(from, fromOffset);
    range.setEnd(to, toOffset);
    return [range];
  });
}
