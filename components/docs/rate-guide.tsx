import { openStreamsMax } from "#lib/contract/rate-limits.ts";
import type { ApiWords } from "./api-description.ts";
import { ReferenceTable } from "./fields-table.tsx";
import { windowWords } from "./limit-words.ts";

const counts: Record<string, string> = {
  standard: "every request except those of ingest and of share links",
  logs: "reads of a run's log; a live stream counts once, when it begins",
  create: "started runs, repeated requests with a key too",
  setup: "generated setup commands",
  analysis: "analyses of a log by an agent",
  ingest: "reports of external runs and Claude Code sessions, and telemetry, which count toward no other limit",
  edit: "changes to pull requests and their settings, pushes, codes that link accounts, new organizations",
  webhook_test: "webhook tests",
  share: "readers of a share link, per link and IP address",
};

/** Guide to rate limits, with this installation's configured numbers. */
export function RateGuide({ api: { limits: classes, sessionFactor } }: { api: ApiWords }) {
  return (
    <>
      <p>
        A token&rsquo;s requests are counted in sliding windows, whatever the response. A request over the limit gets a
        429 that names the limit, and does not count; once the seconds in its <code>Retry-After</code> have passed, the
        same request is admitted, unless others have used the room in the meantime. <code>RateLimit-Policy</code> and{" "}
        <code>RateLimit</code> on the response to each counted request give the limits, the requests left (
        <code>r</code>) and the seconds until one more is allowed (<code>t</code>). {sessionWords(sessionFactor)}
      </p>
      <ReferenceTable caption="Rate limits of a token" head={["Name", "Requests", "Counts"]}>
        {classes.map(({ class: name, limits }) => {
          const own = limits.find((limit) => limit.name === name);
          return (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td className="whitespace-nowrap">{own === undefined ? "no limit" : windowWords(own)}</td>
              <td>{counts[name]}</td>
            </tr>
          );
        })}
      </ReferenceTable>
      <p>
        Every request also counts as <code>standard</code>, except those of <code>ingest</code> and <code>share</code>.
        Wrong tokens, sign-in codes and share links are counted by IP address; valid ones are never refused because of
        them. Attempts with a password are counted whether or not they succeed. A token, a session, and the readers of a
        share link at one IP address may each have {openStreamsMax} live streams open. <code>queue_full</code> means
        that the queue is full; there may still be no room after its <code>Retry-After</code>.
      </p>
    </>
  );
}

function sessionWords(factor: number): string {
  return factor === 0 ? "Browser sessions are not limited." : `Each browser session has ${factor} times these limits.`;
}
