import type { AnyOperation } from "#lib/contract/operation.ts";
import { newestFirst } from "#lib/contract/page.ts";
import type { Call } from "./call.ts";
import { parseQuery } from "./parse-query.ts";

type PageReply = { items: { id?: unknown }[]; total: number; page: number; pages: number; size: number };

/**
 * `Link: …; rel="next"` (RFC 8288), if there is a next page. It uses `before` where the operation takes it and the newest come first,
 * so that new rows do not shift the others; otherwise `skip`.
 */
export function nextPage(
  reply: unknown,
  { query: { shape } }: Pick<AnyOperation, "query">,
  { target }: Pick<Call, "target">,
  publicUrl: string,
): Record<string, string> {
  if (!isPage(reply) || !("skip" in shape)) return {};
  const url = URL.parse(target, publicUrl);
  if (url === null) return {};
  const { searchParams: query } = url;
  const { skip, page = "1", sort } = parseQuery(target, new Map());
  const skipped = Number(skip ?? (Number(page) - 1) * reply.size);
  const end = skipped + reply.items.length;
  const last = reply.items.at(-1)?.id;
  const isLast = query.has("before") ? reply.page >= reply.pages : end >= reply.total;
  if (isLast || last === undefined) return {};
  for (const name of ["skip", "page", "size"]) query.delete(name);
  query.set("limit", String(reply.size));
  if ("before" in shape && (sort === undefined || sort === newestFirst)) query.set("before", String(last));
  else query.set("skip", String(end));
  return { link: `<${url}>; rel="next"` };
}

function isPage(reply: unknown): reply is PageReply {
  const { items, total, size } = Object(reply);
  return Array.isArray(items) && typeof total === "number" && typeof size === "number";
}
