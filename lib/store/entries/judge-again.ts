import { fieldsOf } from "#lib/contract/json-fields.ts";
import { MessageType } from "#lib/contract/logs/entry.ts";
import { isFailed } from "#lib/entry/outcome.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { runIn, statement } from "#lib/store/statement.ts";
import { blockId, blockSize, kindOf, placeInBlock } from "./entry-blocks.ts";
import { factsVersion } from "./entry-facts.ts";
import { entryId } from "./entry-id.ts";
import type { EntryStore } from "./entry-store.ts";

/** Read and parsed at once, unless a single entry is larger. */
const bytesMax = 2 ** 20;

const setError = statement<{ id: number; isError: number }>(
  "update entries set is_error = :isError where id = :id and is_error <> :isError",
);
const setKinds = statement<{ id: number; place: number; count: number; kinds: string }>(`
update entry_blocks set kinds = substr(kinds, 1, :place) || :kinds || substr(kinds, :place + :count + 1)
where id = :id and substr(kinds, :place + 1, :count) <> :kinds`);

/** See Store.judgeAgain. */
export function judgeAgain({ writer, reader, runAll }: Dialect, { readAfter }: EntryStore): () => Promise<boolean> {
  let judged = { run: 0, seq: 0 };
  return async () => {
    const run = await reader
      .selectFrom("runs")
      .select(["id", "organization_id"])
      .where("facts_version", "<", factsVersion)
      .orderBy("facts_version")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (run === undefined) return false;
    const after = judged.run === run.id ? judged.seq : 0;
    const access = { organizationId: run.organization_id, userId: null };
    const entries = await readAfter(access, run.id, after, blockSize - placeInBlock(after + 1), bytesMax);
    const verdicts = entries.map(({ seq, body }) => ({ seq, ...verdictOn(body) }));
    await writer.transaction().execute(async (trx) => {
      if (entries.length === 0) {
        await trx.updateTable("runs").set({ facts_version: factsVersion }).where("id", "=", run.id).execute();
        return;
      }
      const kinds = verdicts.map(({ kind }) => kind).join("");
      const [id, place] = [blockId(run.id, after + 1), placeInBlock(after + 1)];
      await runIn(trx, setKinds, { id, place, count: kinds.length, kinds });
      await runAll(
        setError,
        verdicts.map(({ seq, isError }) => ({ id: entryId(run.id, seq), isError: Number(isError) })),
      );
    });
    judged = { run: run.id, seq: after + entries.length };
    return true;
  };
}

function verdictOn(body: string): { kind: string; isError: boolean } {
  const { message_type, tool_name, tool_input, tool_output } = fieldsOf(JSON.parse(body));
  const type = MessageType.parse(message_type);
  const name = typeof tool_name === "string" ? tool_name : null;
  const isError = isFailed({ message_type: type, tool_name: name, tool_input, tool_output });
  return { kind: kindOf(type, isError), isError };
}
