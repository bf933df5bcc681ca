import { formatBytes } from "#lib/format-bytes.ts";

/** Shorter texts are not judged: words can be base64, too. */
const mediaLengthMin = 256;
const mediaNames = new Set("data blob base64 b64_json image audio bytes".split(" "));
const typeNames = ["mimeType", "mime_type", "media_type", "mediaType", "type", "format"];
const base64 = /^[A-Za-z0-9+/_\r\n-]+={0,2}\s*$/;
const dataUrlStart = /^data:([\w.+/-]*)(?:;[\w=.-]+)*;base64,/;
const dataUrls = /data:([\w.+/-]*)(?:;[\w=.-]+)*;base64,[A-Za-z0-9+/_\r\n-]{256,}={0,2}/g;

/** Whether a string of an entry is an image, audio or another file in base64: a data URL, or one beside its type or under such a name. */
export function isMedia(text: string, parent: object): boolean {
  if (text.length < mediaLengthMin) return false;
  if (text.startsWith("data:")) {
    const start = dataUrlStart.exec(text.slice(0, 200))?.[0];
    return start !== undefined && base64.test(text.slice(start.length));
  }
  // Nearly all other long texts have a space soon.
  if (/[^A-Za-z0-9+/_\r\n=-]/.test(text.slice(0, mediaLengthMin))) return false;
  return isMediaField(text, parent) && base64.test(text);
}

function isMediaField(text: string, parent: object): boolean {
  const named = Object.entries(parent).some(([name, value]) => value === text && mediaNames.has(name));
  return named || typeNames.some((name) => isMediaType(String(Object(parent)[name] ?? "")));
}

/** What stands in place of its bytes: their type, if the text or a field beside it says it, and how many there are. */
export function mediaWords(text: string, parent: object = {}): string {
  const found = dataUrlStart.exec(text.slice(0, 200));
  const padding = /=*\s*$/.exec(text)?.[0].length ?? 0;
  const length = text.length - (found?.[0].length ?? 0) - padding;
  const type = found?.[1] ?? typeNames.map((name) => String(Object(parent)[name] ?? "")).find(isMediaType);
  return [type ?? "", formatBytes(Math.floor((length * 3) / 4))].filter((part) => part !== "").join(", ");
}

/** Whether a string is a media type such as `image/png`, or the word `base64`: what stands beside media. */
export function isMediaType(text: string): boolean {
  return text === "base64" || /^(?:image|audio|video|application)\/[\w.+-]+$/.test(text);
}

/** A text without the bytes of the data URLs in it, such as the images of a Markdown text. */
export function withoutDataUrls(text: string): string {
  return text.includes(";base64,") ? text.replace(dataUrls, (url) => `[${mediaWords(url)}]`) : text;
}
