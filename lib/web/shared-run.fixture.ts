import assert from "node:assert/strict";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { dispatchOver } from "#lib/web/api.ts";
import type { Answered, ApiUnderTest } from "#lib/web/api-under-test.ts";

/** Path of the sharing organization. */
export const O = "/v1/organizations/1";
/** When every entry here was written. */
export const at = "2026-01-31T23:59:59.000Z";
/** A key in GitHub's format, assembled so that no scanner of this repository takes it for real. */
export const secret = `ghp_${"9fK2mQ7xT4vB8nL1cW6zR3yH5jD0pSabc123"}`;

/** Fields of an empty entry. */
export const blank = { thought: null, tool_name: null, tool_input: null, tool_output: null, observation: null };

/** A command with its output. */
export const ran = (output: string, command = "cat notes"): NewEntry => ({
  ...blank,
  created_at: at,
  message_type: "ACTION",
  tool_name: "shell",
  tool_input: { command },
  tool_output: { status: "completed", exit_code: 0, output, duration_ms: 12 },
});

/** What a person wrote. */
export const said = (observation: string): NewEntry => ({
  ...blank,
  created_at: at,
  message_type: "USER_MESSAGE",
  observation,
});

/** An ended run with these entries. */
export async function endedRun(api: ApiUnderTest, entries: NewEntry[] | number): Promise<number> {
  const { run, lease } = await api.liveRun(entries);
  await api.finish(lease);
  return run.id;
}

/** A new link to a run. */
export async function share(
  api: ApiUnderTest,
  runId: number,
  body: object = {},
): Promise<{ id: number; token: string; url: string }> {
  const made = await api.ask("POST", `${O}/agent/run/${runId}/shares`, { token: await api.token(), body });
  assert.equal(made.status, 200, made.text);
  return made.json as { id: number; token: string; url: string };
}

/** Response to somebody who has only the link. */
export const read = (api: ApiUnderTest, token: string, path = "") => api.ask("GET", `/v1/shares/${token}${path}`);

/** The entries of an answer. */
export const logsOf = (answered: Answered) => answered.json.logs as { seq: number; [field: string]: unknown }[];

/** One event of a stream. */
export type Streamed = { event: string; id: number | null; data: unknown };

/** Reads the stream until it ends or enough has arrived. */
export async function eventsOf(
  api: ApiUnderTest,
  token: string,
  isEnough: (events: Streamed[]) => boolean,
  query = "",
): Promise<Streamed[]> {
  const gone = new AbortController();
  const request = new Request(`http://errand.test/v1/shares/${token}/logs/stream${query}`, { signal: gone.signal });
  const { body } = await dispatchOver(api.api)(request);
  assert.ok(body !== null);
  const events: Streamed[] = [];
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let next = await reader.read(); !next.done && !isEnough(events); next = await reader.read()) {
      for (const block of next.value.split("\n\n")) {
        const event = /^event: (\w+)/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (event === undefined || data === undefined) continue;
        events.push({
          event,
          id: Number(/^id: (\d+)/m.exec(block)?.[1] ?? Number.NaN) || null,
          data: JSON.parse(data),
        });
      }
      if (isEnough(events)) break;
    }
  } finally {
    gone.abort();
    await reader.cancel();
  }
  return events;
}
