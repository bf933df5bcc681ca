/** Names of the highlights, and of their colors in globals.css. */
const names = { all: "find", current: "find-current" } as const;

/** These rules cannot be in the build's stylesheets, because its minifier takes `::highlight` for a mistake. */
const rules = Object.values(names)
  .map((name) => `::highlight(${name}) { background-color: var(--${name}); color: var(--${name}-foreground); }`)
  .join("\n");

// Added before anybody searches: a new stylesheet computes the style of every element again, which would delay the first hit.
if (canPaint()) document.adoptedStyleSheets.push(stylesheet());

/** Marks cards that contain a match, in browsers that cannot highlight text without changing the page. */
const markedCard = "data-found";

/**
 * Highlights places on the page without changing its elements: all matches of one search, and the current one more strongly.
 * Several highlighters may be active at the same time.
 */
export class MatchHighlighter {
  #all: readonly Range[] = [];
  #current: Range | null = null;
  #cards: readonly Element[] = [];

  paint(all: readonly Range[], current: Range | null): void {
    this.clear();
    this.#all = all;
    this.#current = current;
    if (!canPaint()) {
      this.#cards = all.flatMap((range) => range.startContainer.parentElement?.closest("article") ?? []);
      for (const card of this.#cards) card.setAttribute(markedCard, "");
      return;
    }
    const [painted, strong] = [highlightOf(names.all), highlightOf(names.current)];
    for (const range of all) painted.add(range);
    if (current !== null) strong.add(current);
    strong.priority = 1;
  }

  clear(): void {
    for (const card of this.#cards) card.removeAttribute(markedCard);
    this.#cards = [];
    if (!canPaint()) return;
    const painted = highlightOf(names.all);
    for (const range of this.#all) painted.delete(range);
    if (this.#current !== null) highlightOf(names.current).delete(this.#current);
    this.#all = [];
    this.#current = null;
  }
}

function canPaint(): boolean {
  return typeof CSS !== "undefined" && "highlights" in CSS && typeof Highlight !== "undefined";
}

function highlightOf(name: string): Highlight {
  const known = CSS.highlights.get(name);
  if (known !== undefined) return known;
  const made = new Highlight();
  CSS.highlights.set(name, made);
  return made;
}

function stylesheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  return sheet;
}
