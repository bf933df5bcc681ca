import { markInvisible } from "#lib/entry/visible-text.ts";

/** Attributes whose text people read or hear. */
const readAttributes = ["title", "aria-label", "aria-description", "alt", "placeholder"];

/**
 * The props of an element; in its texts each character that hides or reorders others is replaced by its code. Also those of a
 * component: it may be a package's, whose own JSX is React's.
 */
export function markedProps(props: Record<string, unknown>): Record<string, unknown> {
  let shown = props;
  const children = markedChildren(props.children);
  if (children !== props.children) shown = { ...shown, children };
  for (const name of readAttributes) {
    const text = props[name];
    if (typeof text !== "string") continue;
    const marked = markInvisible(text);
    if (marked !== text) shown = { ...shown, [name]: marked };
  }
  return shown;
}

function markedChildren(children: unknown): unknown {
  if (typeof children === "string") return markInvisible(children);
  if (!Array.isArray(children)) return children;
  const shown = children.map((child) => (typeof child === "string" ? markInvisible(child) : child));
  return shown.some((child, at) => child !== children[at]) ? shown : children;
}
