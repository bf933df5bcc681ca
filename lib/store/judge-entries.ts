import { MessageType } from "#lib/contract/entry.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { isFailed } from "#lib/entry/outcome.ts";
import { blockId, kindOf } from "./entry-blocks.ts";
import { entryId } from "./entry-id.ts";
import type { MigratedDatabase } from "./migration.ts";

/** Entries held in memory at once; each may have a megabyte. */
const batchEntries = 64;

/**
 * Migration that judges every stored entry by the rule in lib/entry, and rewrites the flags and blocks of those whose judgment
 * changed. When the rule changes, a further migration runs it again.
 */
export function judgeEntries(database: MigratedDatabase): void {
  let last = 0;
  let block = 0;
  let kinds = "";
  const write = () => {
    if (kinds === "") return;
    database.run("update entry_blocks set kinds = ? where id = ? and kinds <> ?", [kinds, block, kinds]);
    kinds = "";
  };
  for (;;) {
    // Read completely before writing: no row may change under the query.
    const rows = [...database.each(entriesAfter(last))];
    if (rows.length === 0) break;
    for (const row of rows) {
      last = Number(row.id);
      const messageType = MessageType.parse(row.message_type);
      const hasFailed = isError(messageType, row.body);
      const id = blockOf(last);
      if (block !== id) write();
      block = id;
      kinds += kindOf(messageType, hasFailed);
      if (Number(row.is_error) !== Number(hasFailed)) {
        database.run("update entries set is_error = ? where id = ?", [Number(hasFailed), last]);
      }
    }
  }
  write();
}

function isError(messageType: MessageType, body: unknown): boolean {
  // An entry without a result can only be judged by its type.
  if (body === null) return messageType === "ERROR";
  const { tool_name, tool_input, tool_output } = fieldsOf(JSON.parse(String(body)));
  const name = typeof tool_name === "string" ? tool_name : null;
  return isFailed({ message_type: messageType, tool_name: name, tool_input, tool_output });
}

function blockOf(id: number): number {
  const run = Math.floor(id / runSize);
  return blockId(run, id - run * runSize);
}

const runSize = entryId(1, 0);

const entriesAfter = (id: number) => `
select
  id,
  message_type,
  is_error,
  case when message_type <> 'ERROR' and json_type(body, '$.tool_output') <> 'null' then body end as body
from entries
where id > ${id}
order by id
limit ${batchEntries}`;
