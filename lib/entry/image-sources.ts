import { fieldsOf, textField } from "#lib/contract/json-fields.ts";

/** An image that is part of an entry: only a data URL, so that showing it contacts no server. */
export type ImageSource = { type: string; url: string };

const imagesMax = 8;
const visitedMax = 500;
const depthMax = 6;
/** 10 MB in base64. */
const lengthMax = Math.ceil((10 * 1024 * 1024 * 4) / 3);

/**
 * Images in a JSON value: data URLs, and blocks that name their type beside their base64 (`mimeType` or `media_type`, with the
 * data in the block itself or in its `source`). PNG, JPEG, GIF and WebP only: an SVG is a document. Examines 500 values at
 * most.
 */
export function imageSourcesOf(value: unknown): ImageSource[] {
  const found = new Map<string, ImageSource>();
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let visited = 0; visited < visitedMax && found.size < imagesMax; visited++) {
    const next = waiting.shift();
    if (next === undefined) break;
    const source = typeof next.value === "string" ? sourceOfUrl(next.value) : sourceOfBlock(next.value);
    if (source !== null) found.set(source.url, source);
    else if (typeof next.value === "object" && next.value !== null && next.depth < depthMax) {
      const inner: unknown[] = Object.values(next.value).slice(0, visitedMax);
      for (const child of inner) waiting.push({ value: child, depth: next.depth + 1 });
    }
  }
  return [...found.values()];
}

function sourceOfUrl(text: string): ImageSource | null {
  const type = /^data:(image\/(?:png|jpeg|gif|webp));base64,/.exec(text.slice(0, 40))?.[1];
  return type === undefined ? null : sourceOf(type, text.slice(text.indexOf(",") + 1));
}

function sourceOfBlock(value: unknown): ImageSource | null {
  const block = fieldsOf(value);
  if (block.type !== "image") return null;
  const source = { ...fieldsOf(block.source), ...block };
  const type = textField(source, "mimeType", "media_type", "mime_type");
  const data = textField({ own: block.data, inner: fieldsOf(block.source).data }, "own", "inner");
  if (type === null || data === null || !/^image\/(?:png|jpeg|gif|webp)$/.test(type)) return null;
  return sourceOf(type, data);
}

function sourceOf(type: string, data: string): ImageSource | null {
  if (data.length > lengthMax || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return null;
  return { type, url: `data:${type};base64,${data}` };
}
