import { ApiError } from "#lib/contract/error.ts";
import { pageOf, rowsOf } from "#lib/contract/page.ts";
import type { AuditQuery, AuditRecord } from "#lib/contract/people/audit.ts";
import type { AuditFilter, AuditRow } from "#lib/store/people/audit.ts";
import { FileStream } from "./reply.ts";
import type { OrganizationContext } from "./service-context.ts";
import { fileWhileAllowed } from "./while-allowed.ts";

/** Matching records, newest first: a page of them, or all as a file with one record per line. */
export async function listAudit(context: OrganizationContext, { query }: { query: AuditQuery }) {
  const filter = filterOf(query);
  if (query.format === "json") {
    const rows = rowsOf(query);
    const { items, total } = await context.store.audit.list(context.access, filter, rows);
    return pageOf(items.map(presentAudit), total, rows);
  }
  refusePaging(query);
  const records = allRecords(context, filter);
  const name = `errand-audit-${context.access.organizationId}`;
  const fileOf = (texts: AsyncIterable<string>) => fileWhileAllowed(context.isStillAllowed, texts);
  return query.format === "csv"
    ? new FileStream(`${name}.csv`, "text/csv", fileOf(csvLines(records)))
    : new FileStream(`${name}.jsonl`, "application/jsonl", fileOf(jsonLines(records)));
}

const paging = ["skip", "limit", "page", "size"] as const;

function refusePaging(query: AuditQuery): void {
  const fields = paging
    .filter((name) => query[name] !== undefined)
    .map((name) => ({
      loc: ["query", name],
      msg: "must be left out, because a file contains all matching records",
      type: "value_error",
    }));
  if (fields.length === 0) return;
  throw new ApiError("invalid_parameters", `${fields[0]?.loc[1]}: ${fields[0]?.msg}.`, { fields });
}

const readAtOnce = 200;

/** Every record up to the newest one at the start; later ones are not included. */
async function* allRecords(context: OrganizationContext, filter: AuditFilter): AsyncGenerator<AuditRecord[]> {
  let beforeId: number | null = null;
  for (;;) {
    const rows: AuditRow[] = await context.store.audit.read(context.access, filter, beforeId, readAtOnce);
    if (rows.length === 0) return;
    yield rows.map(presentAudit);
    beforeId = rows.at(-1)?.id ?? 0;
  }
}

async function* jsonLines(batches: AsyncIterable<AuditRecord[]>): AsyncGenerator<string> {
  for await (const records of batches) yield records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const columns = [
  "id",
  "created_at",
  "act",
  "actor",
  "user_id",
  "user_name",
  "token_id",
  "token_name",
  "object_type",
  "object_id",
  "object_name",
  "address",
  "user_agent",
  "details",
] as const satisfies (keyof AuditRecord)[];

/** RFC 4180. */
async function* csvLines(batches: AsyncIterable<AuditRecord[]>): AsyncGenerator<string> {
  yield `${columns.join(",")}\r\n`;
  for await (const records of batches) {
    yield records.map((record) => `${columns.map((name) => csvCell(record[name])).join(",")}\r\n`).join("");
  }
}

/**
 * Text that a spreadsheet would take for a formula gets a leading apostrophe: names and user agents come from outside.
 */
function csvCell(value: unknown): string {
  if (value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const plain = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function filterOf(query: AuditQuery): AuditFilter {
  const filter: AuditFilter = {};
  if (query.act !== undefined) filter.acts = query.act;
  if (query.actor !== undefined) filter.actor = query.actor;
  if (query.user_id !== undefined) filter.userId = query.user_id;
  if (query.token_id !== undefined) filter.tokenId = query.token_id;
  if (query.since !== undefined) filter.since = query.since;
  if (query.until !== undefined) filter.until = query.until;
  return filter;
}

function presentAudit(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    created_at: row.createdAt,
    act: row.act,
    actor: row.actor,
    user_id: row.userId,
    user_name: row.userName,
    token_id: row.tokenId,
    token_name: row.tokenName,
    object_type: row.objectType,
    object_id: row.objectId,
    object_name: row.objectName,
    address: row.address,
    user_agent: row.userAgent,
    details: row.details,
  };
}
