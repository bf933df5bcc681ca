import { formatBytes, formatCount } from "#components/shell/format-number.ts";
import { batchBytesMax, batchEntriesMax } from "#lib/contract/ingest.ts";
import { bodyBytesMaxDefault } from "#lib/contract/operation.ts";
import { promptCharactersMax } from "#lib/contract/run.ts";
import { imageBodyBytesMax } from "#lib/contract/run-operations.ts";
import { jsonDepthMax } from "#lib/contract/text.ts";
import { runWebhooksMax } from "#lib/contract/webhook.ts";
import { ReferenceTable } from "./fields-table.tsx";

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

/** What a request may weigh. Bounds of single fields stand with their operations. */
export function LimitsGuide() {
  return (
    <>
      <ReferenceTable caption="At most" head={["What", "How much"]}>
        {sizes.map(([what, howMuch]) => (
          <tr key={what}>
            <td>{what}</td>
            <td>{howMuch}</td>
          </tr>
        ))}
      </ReferenceTable>
      <p>
        A value over its bound is 400 and names the field and the bound; nothing is cut without saying so. The bounds of
        each field are in the tables of its operation.
      </p>
    </>
  );
}
