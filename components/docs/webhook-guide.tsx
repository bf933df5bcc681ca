import Link from "next/link";
import { deliveryDays, deliveryGapsS, deliveryTriedS, type WebhookEvent } from "#lib/contract/webhook.ts";
import { ReferenceTable } from "./fields-table.tsx";
import { timeWords } from "./limit-words.ts";

const events: Record<WebhookEvent, string> = {
  "run.started": "Left the queue: when it starts, and each time a resume continues it",
  "run.waiting": "Asks a question and waits for the answer",
  "run.finished": "Ended, for whatever reason: data.status says how",
};

const verifying = `import { createHmac, timingSafeEqual } from "node:crypto";

function verify(secret: string, headers: Record<string, string>, body: string): boolean {
  const isBase64 = secret.startsWith("whsec_");
  const key = isBase64 ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
  const signed = \`\${headers["webhook-id"]}.\${headers["webhook-timestamp"]}.\${body}\`;
  const expected = createHmac("sha256", key).update(signed).digest();
  const isRecent = Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"])) < 300;
  return isRecent && headers["webhook-signature"].split(" ").some((part) => {
    const given = Buffer.from(part.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

/** What webhooks send, how to verify it, and when it is tried again. */
export function WebhookGuide() {
  const gaps = deliveryGapsS.map(timeWords);
  return (
    <>
      <p>
        A webhook is a POST of <code>{"{type, timestamp, data}"}</code>, where <code>data</code> is the run as GET run
        answers it, as it was at <code>timestamp</code>. The organization&rsquo;s webhook is set under{" "}
        <Link href="/settings/webhooks" className="text-link underline underline-offset-4">
          Settings
        </Link>{" "}
        or by <code>POST webhooks/agent-run</code>; a run that is given <code>webhooks</code> of its own tells those
        instead.
      </p>
      <ReferenceTable caption="Events" head={["Type", "The run"]}>
        {Object.entries(events).map(([type, meaning]) => (
          <tr key={type}>
            <td>
              <code>{type}</code>
            </td>
            <td>{meaning}</td>
          </tr>
        ))}
      </ReferenceTable>
      <p>
        Requests are signed as{" "}
        <a href="https://www.standardwebhooks.com" className="text-link underline underline-offset-4">
          Standard Webhooks
        </a>{" "}
        says, so its libraries verify them: <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
        <code>webhook-signature</code>. A secret that begins with <code>whsec_</code> is base64 of the key; any other is
        the key itself. Without a library, on the body exactly as it arrived:
      </p>
      <pre className="whitespace-pre-wrap break-words rounded-md border border-border bg-code px-3 py-2 text-[13px]">
        <code>{verifying}</code>
      </pre>
      <p>
        Any answer from 200 to 299 within 15 seconds counts as delivered. Everything else, a redirect too, is tried
        again after {gaps.join(", ")}, each up to a tenth longer or shorter, and a last time {deliveryTriedS / 3600}{" "}
        hours after the first attempt. A longer <code>Retry-After</code> is respected. An answer of 410 turns the
        webhook off.
      </p>
      <p>
        The same event may come more than once, always with the same <code>webhook-id</code>: keep the ids that you have
        handled. Events of one run come in order. The next one waits until the earlier one is delivered or has failed
        for 10 minutes; the earlier one then comes after it with the header <code>webhook-late: true</code>. Deliveries
        are listed with what your server answered, can be sent again, and are kept for {deliveryDays} days.
      </p>
      <p>
        Addresses in private networks are refused unless the operator allows them (<code>ERRAND_OUTBOUND_ALLOW</code>).
      </p>
    </>
  );
}
