import { call } from "#lib/client/request.ts";
import { anonymousTransport } from "#lib/client/server-transport.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { getOpenapi } from "#lib/contract/service-operations.ts";
import { Cell, ReferenceTable } from "./fields-table.tsx";

const counts: Record<string, string> = {
  standard: "every request but those of ingest and of share links",
  logs: "reads of a run's log, against the same requests as standard; a live stream counts once, when it begins",
  create: "started runs",
  setup: "generated setup commands",
  analysis: "analyses of a log by an agent",
  ingest: "reports of external runs, which count nowhere else",
  edit: "changes of pull requests and check settings",
  webhook_test: "tests of a webhook",
  share: "readers of a share link, for each link and address",
};

type Limit = { name: string; quota: number; seconds: number };
type Rates = { classes: { class: string; limits: Limit[] }[]; session_factor: number };

/** How requests are limited, with the numbers that this installation is configured with. */
export async function RateGuide() {
  const description = await call(getOpenapi, {}, anonymousTransport);
  // describeRates of lib/contract writes this shape.
  const { classes, session_factor: factor } = fieldsOf(description)["x-rate-limits"] as Rates;
  return (
    <>
      <p>
        A token&rsquo;s requests are counted in sliding windows, whatever the response. A request over the limit gets a
        429 and does not count; after the seconds of its <code>Retry-After</code> the same request is admitted.{" "}
        <code>RateLimit-Policy</code> and <code>RateLimit</code> tell on every answer what the limits are, how many
        requests are left (<code>r</code>) and the seconds until one more is allowed (<code>t</code>).{" "}
        {sessionWords(factor)}
      </p>
      <ReferenceTable caption="Rate limits of a token" head={["Name", "Requests", "Counts"]}>
        {classes.map(({ class: name, limits }) => (
          <tr key={name}>
            <Cell>
              <code>{name}</code>
            </Cell>
            <Cell>{limitWords(limits.find((limit) => limit.name === name))}</Cell>
            <Cell>{counts[name]}</Cell>
          </tr>
        ))}
      </ReferenceTable>
      <p>
        Every request also counts against <code>standard</code>, except those of <code>ingest</code> and{" "}
        <code>share</code>. Wrong tokens, sign-in codes and share links are counted by address; valid ones are never
        refused because of it. <code>queue_full</code> means that the queue is full; there may still be no room after
        its <code>Retry-After</code>.
      </p>
    </>
  );
}

function limitWords(limit: Limit | undefined): string {
  return limit === undefined ? "no limit" : `${limit.quota.toLocaleString("en")} in ${limit.seconds} s`;
}

function sessionWords(factor: number): string {
  return factor === 0 ? "Browser sessions are not limited." : `Each browser session has ${factor} times these limits.`;
}
