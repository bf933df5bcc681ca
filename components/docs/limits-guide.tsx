import { formatBytes, formatCount } from "#components/shell/format-number.ts";
import { batchBytesMax, batchEntriesMax } from "#lib/contract/ingest.ts";
import { bodyBytesMaxDefault } from "#lib/contract/operation.ts";
import { promptCharactersMax } from "#lib/contract/run.ts";
import type { RunLimits } from "#lib/contract/run-limits.ts";
import { imageBodyBytesMax } from "#lib/contract/run-operations.ts";
import { jsonDepthMax } from "#lib/contract/text.ts";
import { runWebhooksMax } from "#lib/contract/webhook.ts";
import { ReferenceTable } from "./fields-table.tsx";
import { timeWords } from "./limit-words.ts";

const sizes: [string, string][] = [
  ["Body", `${formatBytes(bodyBytesMaxDefault)}, else 413`],
  ["Body of a new run or turn", `${formatBytes(imageBodyBytesMax)}, for its images`],
  ["Body of reported entries", `${formatBytes(batchBytesMax)} and ${formatCount(batchEntriesMax)} entries`],
  ["Depth of JSON", `${jsonDepthMax} levels`],
  ["Prompt", `${formatCount(promptCharactersMax)} characters`],
  ["Images of a turn", "10, each 10 MB; PNG, JPEG, GIF or WebP"],
  ["Webhooks of a run", `${runWebhooksMax}`],
  ["Page of a list or log", "100"],
  ["Idempotency-Key", "255 characters, kept for 24 hours"],
];

/** What a request may weigh and a run may take here. Bounds of single fields stand with their operations. */
export function LimitsGuide({ runLimits }: { runLimits: RunLimits }) {
  return (
    <>
      <LimitTable caption="Requests" rows={sizes} />
      <LimitTable caption="Runs, as set here" rows={runRows(runLimits)} />
      <p>
        A value over its bound is 400 and names the field and the bound; nothing is cut without saying so. The bounds of
        each field are in the tables of its operation.
      </p>
    </>
  );
}

function runRows({ queued, atOnce, turnSeconds, questionSeconds }: RunLimits): [string, string][] {
  return [
    ["Queued runs of an organization", queued === 0 ? "no limit" : `${formatCount(queued)}, else 429 queue_full`],
    ["Runs at work at once", `${atOnce}; others wait in the queue`],
    [
      "Time of a turn",
      `${timeWords(turnSeconds)}, without the time it waits for a person; turn_timeout_s can shorten it`,
    ],
    ["Time to answer a question", `${timeWords(questionSeconds)}, then the request is rejected`],
  ];
}

function LimitTable({ caption, rows }: { caption: string; rows: [string, string][] }) {
  return (
    <ReferenceTable caption={caption} head={["What", "At most"]}>
      {rows.map(([what, howMuch]) => (
        <tr key={what}>
          <td>{what}</td>
          <td>{howMuch}</td>
        </tr>
      ))}
    </ReferenceTable>
  );
}
