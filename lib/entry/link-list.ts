import { fieldsOf, textField } from "#lib/contract/json-fields.ts";

const listStart = /\[\{"title":/g;
const listsMax = 20;
const listLengthMax = 200_000;

/** A text in which lists of links that are written as JSON (`[{"title":…,"url":…}]`, as web searches do) are lines of title and address. */
export function withLinkLists(text: string): string {
  if (!text.includes('[{"title":')) return text;
  let shown = "";
  let last = 0;
  let lists = 0;
  for (const { index } of text.matchAll(listStart)) {
    if (index < last || lists >= listsMax) continue;
    lists += 1;
    const end = endOfList(text, index);
    const links = end === null ? null : linksIn(text.slice(index, end));
    if (links === null || end === null) continue;
    shown += `${text.slice(last, index)}\n${links.map(({ title, url }) => `- ${title}: ${url}`).join("\n")}`;
    last = end;
  }
  return shown + text.slice(last);
}

/** Where the JSON list ends: its first `}]` after which it can be read. */
function endOfList(text: string, from: number): number | null {
  for (
    let at = text.indexOf("}]", from), tries = 0;
    at !== -1 && tries < 20;
    at = text.indexOf("}]", at + 1), tries += 1
  ) {
    if (at - from > listLengthMax) return null;
    if (linksIn(text.slice(from, at + 2)) !== null) return at + 2;
  }
  return null;
}

function linksIn(json: string): { title: string; url: string }[] | null {
  try {
    const links = (JSON.parse(json) as unknown[]).map((link) => {
      const fields = fieldsOf(link);
      return { title: textField(fields, "title"), url: textField(fields, "url"), count: Object.keys(fields).length };
    });
    return links.every(({ title, url, count }) => title !== null && url !== null && count === 2)
      ? links.map(({ title, url }) => ({ title: title ?? "", url: url ?? "" }))
      : null;
  } catch {
    return null;
  }
}
