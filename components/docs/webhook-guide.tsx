import Link from "next/link";
import { webhooksMax } from "#lib/contract/bounds.ts";
import { deliveryDays, deliveryGapsS, deliveryTriedS } from "#lib/contract/integrations/webhook.ts";
import { webhookEventWords } from "#lib/contract/integrations/webhook-message.ts";
import { ReferenceTable } from "./fields-table.tsx";
import { timeWords } from "./limit-words.ts";

const verifying = `import { createHmac, timingSafeEqual } from "node:crypto";

function verify(secret: string, headers: Record<string, string>, body: string): boolean {
  const decoded = Buffer.from(secret.slice(6), "base64");
  const isBase64 = secret.startsWith("whsec_") && decoded.length >= 24 && decoded.length <= 64;
  const key = isBase64 ? decoded : Buffer.from(secret);
  const signed = \`\${headers["webhook-id"]}.\${headers["webhook-timestamp"]}.\${body}\`;
  const expected = createHmac("sha256", key).update(signed).digest();
  const isRecent = Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"])) < 300;
  return isRecent && (headers["webhook-signature"] ?? "").split(" ").some((part) => {
    const given = Buffer.from(part.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

const message = `{
  "type": "run.finished",
  "timestamp": "2026-01-31T09:04:30.000Z",
  "data": {
    "id": 1, "status": "completed", "result": "The test passes again.", "web_url": "https://errand.example.com/runs/1",
    …
  }
}`;

/** Contents, verification and retries of webhook deliveries. */
export function WebhookGuide() {
  const gaps = deliveryGapsS.map(timeWords);
  return (
    <>
      <p>
        Each event is sent as a POST of <code>{"{type, timestamp, data}"}</code>, where <code>data</code> is the run as
        GET run returns it, as it was at <code>timestamp</code>. Secrets are masked, and the status is always one of
        Errand&rsquo;s own. An organization has a default webhook and up to {webhooksMax} others, each with its own
        events and secret, under{" "}
        <Link href="/settings/webhooks" className="text-link underline underline-offset-4">
          Settings
        </Link>{" "}
        or by <code>POST webhooks/endpoints</code>; <code>POST webhooks/agent-run</code> sets the default one, for
        clients that know only one. A run created with its own <code>webhooks</code> uses those instead.
      </p>
      <pre className="whitespace-pre-wrap break-words rounded-md border border-border bg-code px-3 py-2 text-[13px]">
        <code>{message}</code>
      </pre>
      <ReferenceTable caption="Events" head={["Type", "What happened"]}>
        {Object.entries(webhookEventWords).map(([type, meaning]) => (
          <tr key={type}>
            <td>
              <code>{type}</code>
            </td>
            <td>{meaning}</td>
          </tr>
        ))}
        <tr>
          <td>
            <code>webhook.test</code>
          </td>
          <td>
            Somebody sent a test. Its <code>data</code> is no run: <code>{"{organization_id, message}"}</code>
          </td>
        </tr>
      </ReferenceTable>
      <p>
        Requests are signed according to{" "}
        <a href="https://www.standardwebhooks.com" className="text-link underline underline-offset-4">
          Standard Webhooks
        </a>
        , so its libraries can verify them. The headers are <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
        <code>webhook-signature</code>. If a secret is <code>whsec_</code> followed by base64 of 24 to 64 bytes, the
        decoded bytes are the key; any other text is the key itself. For 24 hours after a secret was replaced, there are
        two signatures, separated by a space. Without a library, verify the body exactly as received:
      </p>
      <pre className="whitespace-pre-wrap break-words rounded-md border border-border bg-code px-3 py-2 text-[13px]">
        <code>{verifying}</code>
      </pre>
      <p>
        A response from 200 to 299 within 15 seconds counts as delivered. Anything else except 410, also a redirect, is
        retried after {gaps.join(", ")}, each up to 10% longer or shorter, and for the last time {deliveryTriedS / 3600}{" "}
        hours after the first attempt. A longer <code>Retry-After</code> is respected, up to that last attempt. A 410 is
        not retried: it turns the webhook off and cancels its pending deliveries.
      </p>
      <p>
        The same event may arrive more than once, always with the same <code>webhook-id</code>: remember the ids you
        have handled. The events of a run arrive in order: each waits until the one before it has been delivered or has
        failed for 10 minutes. An event that failed for longer arrives later, with the header{" "}
        <code>webhook-late: true</code>. Deliveries are listed with your server&rsquo;s responses, can be sent again,
        and are kept for {deliveryDays} days.
      </p>
      <p>
        A client that was away reads the events of the last {deliveryDays} days from <code>GET events</code>, without
        masks and with statuses in its token&rsquo;s vocabulary: it sends the <code>cursor</code> of the last response
        as <code>after</code>.
      </p>
      <p>
        Addresses in private networks are refused unless this installation allows them (
        <code>ERRAND_OUTBOUND_ALLOW</code>).
      </p>
    </>
  );
}
