/** The names of the highlights, and of the colours that they are painted in (globals.css). */
const names = { all: "find", current: "find-current" } as const;

/** The build's stylesheets cannot have these rules: what makes them small takes `::highlight` for a mistake. */
const rules = Object.values(names)
  .map((name) => `::highlight(${name}) { background-color: var(--${name}); color: var(--${name}-foreground); }`)
  .join("\n");

/** Where the browser cannot paint text without changing the page, the cards that hold a match are marked. */
const markedCard = "data-found";

/**
 * Paints places of the page: all of one search, and the current one stronger. Several may paint at the same time. The page's
 * elements stay as they are.
 */
export class Highlighter {
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
  if (CSS.highlights.size === 0) document.adoptedStyleSheets.push(stylesheet());
  const made = new Highlight();
  CSS.highlights.set(name, made);
  return made;
}

function stylesheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  return sheet;
}
