import { formatCount } from "#components/shell/format-number.ts";
import { promptCharactersMax } from "#lib/contract/bounds.ts";
import { hookBytesMax } from "#lib/contract/integrations/hook.ts";
import { runWebhooksMax } from "#lib/contract/integrations/webhook.ts";
import { batchBytesMax, batchEntriesMax } from "#lib/contract/logs/ingest.ts";
import { telemetryBytesMax } from "#lib/contract/logs/telemetry.ts";
import { bodyBytesMaxDefault } from "#lib/contract/operation.ts";
import type { RunLimits } from "#lib/contract/runs/run-limits.ts";
import { imageBodyBytesMax } from "#lib/contract/runs/run-operations.ts";
import { jsonDepthMax } from "#lib/contract/text.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { ReferenceTable } from "./fields-table.tsx";
import { timeWords } from "./limit-words.ts";

const sizes: [string, string][] = [
  ["Body", `${formatBytes(bodyBytesMaxDefault)}, otherwise 413`],
  ["Body of a new run or turn", `${formatBytes(imageBodyBytesMax)}, for its images`],
  ["Body of reported entries", `${formatBytes(batchBytesMax)} and ${formatCount(batchEntriesMax)} entries`],
  ["Body of a Claude Code line", formatBytes(batchBytesMax)],
  ["Body of telemetry", formatBytes(telemetryBytesMax)],
  ["Body of an event from a code host or chat", formatBytes(hookBytesMax)],
  ["JSON nesting", `${jsonDepthMax} levels`],
  ["Prompt", `${formatCount(promptCharactersMax)} characters`],
  ["Images of a turn", "10, each up to 10 MB; PNG, JPEG, GIF or WebP"],
  ["Webhooks of a run", `${runWebhooksMax}`],
  ["Page size of a list or log", "100"],
  ["Idempotency-Key", "255 characters, kept for 24 hours"],
];

/** Sizes of requests and limits of runs here. Bounds of single fields are with their operations. */
export function LimitsGuide({ runLimits }: { runLimits: RunLimits }) {
  return (
    <>
      <LimitTable caption="Requests" rows={sizes} />
      <LimitTable caption="Runs on this installation" rows={runRows(runLimits)} />
      <p>
        Responses of 4 KB or more, except streams, are compressed with zstd or gzip if the request accepts one of them.
        Errand itself supports only HTTP/1.1.
      </p>
      <p>
        A value beyond its limit gives a 400 that names the field and the limit; nothing is cut silently. The limits of
        each field are in the tables of its operation.
      </p>
    </>
  );
}

function runRows({ queued, atOnce, turnSeconds, questionSeconds }: RunLimits): [string, string][] {
  return [
    ["Queued runs per organization", queued === 0 ? "no limit" : `${formatCount(queued)}, otherwise 429 queue_full`],
    ["Runs at once", `${atOnce}; others wait in the queue`],
    [
      "Time per turn",
      `${timeWords(turnSeconds)}, not counting time spent waiting for a person; turn_timeout_s can shorten it`,
    ],
    ["Time to answer a question", `${timeWords(questionSeconds)}, after which it counts as rejected`],
  ];
}

function LimitTable({ caption, rows }: { caption: string; rows: [string, string][] }) {
  return (
    <ReferenceTable caption={caption} head={["Limit", "At most"]}>
      {rows.map(([what, howMuch]) => (
        <tr key={what}>
          <td>{what}</td>
          <td>{howMuch}</td>
        </tr>
      ))}
    </ReferenceTable>
  );
}
