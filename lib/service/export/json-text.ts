import { ExactNumber } from "#lib/contract/exact-json.ts";
import { isMedia, mediaWords } from "#lib/entry/media-text.ts";

const indentedDepthMax = 20;

type Frame = { holder: object; values: unknown[]; keys: string[] | null; next: number };

/**
 * A JSON value as indented text. Uses no recursion, so no depth is too deep; anything nested deeper than 20 stays on
 * its line, so that the indentation cannot outgrow the value. Media in base64 are named, with their size.
 */
export function jsonText(value: unknown): string {
  const written: string[] = [];
  const frames: Frame[] = [];
  const lineEnd = () => (frames.length > indentedDepthMax ? "" : `\n${"  ".repeat(frames.length)}`);
  const open = (opened: unknown, holder: object = {}) => {
    if (typeof opened === "string" && isMedia(opened, holder)) {
      written.push(JSON.stringify(`[${mediaWords(opened, holder)}]`));
      return;
    }
    if (typeof opened !== "object" || opened === null || opened instanceof ExactNumber) {
      written.push(JSON.stringify(opened) ?? "null");
      return;
    }
    const keys = Array.isArray(opened) ? null : Object.keys(opened);
    const values: unknown[] = Array.isArray(opened) ? opened : Object.values(opened);
    if (values.length === 0) written.push(keys === null ? "[]" : "{}");
    else {
      written.push(keys === null ? "[" : "{");
      frames.push({ holder: opened, values, keys, next: 0 });
    }
  };
  open(value);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.next === frame.values.length) {
      const isIndented = frames.length <= indentedDepthMax;
      frames.pop();
      written.push(isIndented ? lineEnd() : "", frame.keys === null ? "]" : "}");
      continue;
    }
    written.push(frame.next === 0 ? "" : ",", lineEnd());
    if (frame.keys !== null) written.push(JSON.stringify(frame.keys[frame.next]), ": ");
    frame.next += 1;
    open(frame.values[frame.next - 1], frame.holder);
  }
  return written.join("");
}
