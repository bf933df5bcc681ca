import type { ImageSource } from "#lib/entry/image-sources.ts";
import { mediaWords } from "#lib/entry/media-text.ts";
import { jsonText } from "./json-text.ts";

/** Part of an entry: prose by people and models (Markdown), literal text, or an image with its description. */
export type Block = {
  kind: "prose" | "text" | "image";
  label: string | null;
  language: string;
  text: string;
  image?: ImageSource;
};

/** Markdown by people and models. */
export function prose(text: string, label: string | null = null): Block {
  return { kind: "prose", label, language: "markdown", text };
}

/** Literal text. */
export function literal(label: string | null, text: string, language = "text"): Block {
  return { kind: "text", label, language, text };
}

/** An image of an entry. */
export function imageBlock(image: ImageSource): Block {
  return { kind: "image", label: null, language: "text", text: `Image: ${mediaWords(image.url)}`, image };
}

/** A value as JSON, or text unchanged; none for null. */
export function valueBlocks(label: string, value: unknown): Block[] {
  if (value === null || value === undefined) return [];
  return [typeof value === "string" ? literal(label, value) : literal(label, jsonText(value), "json")];
}

/** Fields of an object not shown elsewhere, if any are left; any other value completely. */
export function restBlocks(label: string, value: unknown, used: ReadonlySet<string>): Block[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return valueBlocks(label, value);
  const rest = Object.entries(value).filter(([name]) => !used.has(name));
  return rest.length === 0 ? [] : [literal(label, jsonText(Object.fromEntries(rest)), "json")];
}
