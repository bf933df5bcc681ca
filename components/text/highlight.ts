import { Highlighter } from "./highlighter.ts";

/** The page's highlighter; its worker starts with the first text. */
const highlighter = new Highlighter(
  () => new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" }),
);

/** {@link Highlighter.highlight} of this page; null where there are no workers. Never rejects. */
export const highlight: Highlighter["highlight"] = async (text, language) =>
  typeof Worker === "undefined" ? null : highlighter.highlight(text, language);
