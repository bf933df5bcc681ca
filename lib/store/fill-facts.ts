import { blockId } from "./entry-blocks.ts";
import { type EntryFacts, measured, packFacts } from "./entry-facts.ts";
import { entryId } from "./entry-id.ts";
import type { MigratedDatabase } from "./migration.ts";
import { furtherTools } from "./run-tools.ts";

/** Migration that reads each stored entry once, one block of them in memory, and stores its facts. */
export function fillFacts(database: MigratedDatabase): void {
  database.exec(tables);
  let run = 0;
  let first = 0;
  let facts: EntryFacts[] = [];
  let codes = new Map<string, number>();

  const write = () => {
    for (const block of packFacts(run, first, facts, codes)) {
      database.run("update entry_blocks set tools = ?, traits = ? where id = ?", [block.tools, block.traits, block.id]);
      database.run("insert into entry_spans (id, times, durations, calls) values (?, ?, ?, ?)", [
        block.id,
        block.times,
        block.durations,
        block.calls,
      ]);
    }
    facts = [];
  };
  const learn = (name: string) => {
    if (codes.has(name)) return;
    const isFull = codes.size >= furtherTools - 1;
    const code = isFull ? furtherTools : codes.size + 1;
    codes.set(name, code);
    database.run("insert or ignore into run_tools (run_id, code, name) values (?, ?, ?)", [
      run,
      code,
      isFull ? "" : name,
    ]);
  };

  for (const row of database.each(everyEntry)) {
    const id = Number(row.id);
    const entryRun = Math.floor(id / runSize);
    const seq = id - entryRun * runSize;
    if (entryRun !== run || blockId(run, first) !== blockId(entryRun, seq)) {
      if (facts.length > 0) write();
      first = seq;
    }
    if (entryRun !== run) codes = new Map();
    run = entryRun;
    const toolName = row.tool_name === null ? null : String(row.tool_name) || null;
    if (toolName !== null) learn(toolName);
    const { created_at, thought, observation, duration } = row;
    // Kinds and errors exist already, and no call had an id.
    facts.push({
      kind: "",
      isError: false,
      toolName,
      time: Number(created_at),
      call: 0,
      ...measured({ thought, observation, duration }),
    });
  }
  if (facts.length > 0) write();
}

const runSize = entryId(1, 0);

const tables = `
alter table entry_blocks add column tools blob not null default x'';
alter table entry_blocks add column traits blob not null default x'';

create table entry_spans (
  id integer primary key,
  times blob not null,
  durations blob not null,
  calls blob not null
) strict;

create table run_tools (
  run_id integer not null references runs (id),
  code integer not null,
  name text not null,
  primary key (run_id, code),
  unique (run_id, name)
) strict, without rowid;
`;

/** For long texts, reads only whether there is one: 1, or null for none. */
const everyEntry = `
select
  id,
  created_at,
  json_extract(body, '$.tool_name') as tool_name,
  nullif(json_extract(body, '$.thought') <> '', 0) as thought,
  nullif(json_extract(body, '$.observation') <> '', 0) as observation,
  json_extract(body, '$.tool_output.duration_ms') as duration
from entries
order by id`;
