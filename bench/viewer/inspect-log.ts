import { crc32, deflateRawSync } from "node:zlib";
import type { ApiClient } from "../../e2e/api.ts";
import type { Trace } from "./traces.ts";

type Entry = {
  seq: number;
  created_at: string;
  message_type: string;
  thought: string | null;
  tool_name: string | null;
  tool_input: object | null;
  tool_output: { output?: string; diffs?: object } | null;
  observation: string | { message?: string } | null;
};

/** A trace as an eval log of Inspect AI (`.eval`): one sample, one event per entry, the same texts. */
export async function inspectLogOf(api: ApiClient, trace: Trace): Promise<{ file: Buffer; listing: object }> {
  const events: object[] = [];
  let first: Entry | undefined;
  for (let skip = 0; skip < trace.entries; skip += 100) {
    const { body } = await api.ask("GET", `/agent/run/${trace.runId}/logs?skip=${skip}&limit=100`);
    // The contract defines a page of entries.
    for (const entry of body.logs as Entry[]) {
      first ??= entry;
      events.push(eventOf(entry));
    }
  }
  const at = first?.created_at ?? "";
  // Not the first entry's text, which must be found in the transcript.
  const input = "A trace";
  const sample = { id: 1, epoch: 1, input, target: "", messages: [], output: {}, scores: {}, metadata: {}, store: {} };
  const header = {
    version: 2,
    status: "success",
    eval: {
      run_id: "errand",
      eval_id: "errand",
      created: at,
      task: "errand",
      task_id: "errand",
      task_version: 0,
      dataset: { name: "errand", samples: 1, sample_ids: [1] },
      model: "errand",
      task_attribs: {},
      task_args: {},
      model_args: {},
      config: {},
      packages: {},
    },
    plan: { name: "plan", steps: [], config: {} },
    results: { total_samples: 1, completed_samples: 1, scores: [] },
    stats: { started_at: at, completed_at: at, model_usage: {} },
  };
  const summary = { id: 1, epoch: 1, input, target: "", scores: {}, completed: true, message_count: 0 };
  const file = zip({
    "header.json": header,
    "summaries.json": [summary],
    "samples/1_epoch_1.json": { ...sample, events, model_usage: {}, attachments: {} },
  });
  return { file, listing: header };
}

function eventOf(entry: Entry): object {
  const base = {
    timestamp: entry.created_at,
    uuid: `e${entry.seq}`,
    span_id: null,
    working_start: entry.seq,
    pending: false,
  };
  if (entry.message_type === "ACTION") {
    const { output, diffs } = entry.tool_output ?? {};
    const result = output ?? JSON.stringify(diffs ?? {}, null, 2);
    const parts = [entry.thought, result, textOf(entry.observation)].filter((part) => part !== null && part !== "");
    return {
      ...base,
      event: "tool",
      type: "function",
      id: `call-${entry.seq}`,
      function: entry.tool_name,
      arguments: entry.tool_input ?? {},
      result: parts.join("\n\n"),
      events: [],
    };
  }
  if (entry.message_type === "ERROR") {
    const message = textOf(entry.observation);
    return { ...base, event: "error", error: { message, traceback: message, traceback_ansi: message } };
  }
  return {
    ...base,
    event: "info",
    source: entry.message_type,
    data: [entry.thought, textOf(entry.observation)].join("\n"),
  };
}

function textOf(observation: Entry["observation"]): string {
  if (observation === null) return "";
  return typeof observation === "string" ? observation : JSON.stringify(observation, null, 2);
}

/** A zip archive of JSON files, deflated, as Inspect writes them. */
function zip(files: Record<string, unknown>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, value] of Object.entries(files)) {
    const plain = Buffer.from(JSON.stringify(value));
    const packed = deflateRawSync(plain);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(plain), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(plain.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), head, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const versionMadeBy = Buffer.from([20, 0]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), versionMadeBy, head, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06"), end]);
}
