import Link from "next/link";
import { useRefusal } from "#components/session/session.tsx";
import type { IntegrationStatus } from "#lib/contract/integrations/integration.ts";

/** Integrations set on another page. */
export function OtherIntegrations({ listed }: { listed: readonly IntegrationStatus[] }) {
  const maySeeWebhooks = useRefusal("org:admin") === null;
  const elsewhere = listed.filter(({ integration_type: type }) => type === "webhook");
  return (
    <section className="grid gap-2">
      <h2 className="font-semibold text-base/6">Other integrations</h2>
      <ul className="grid gap-1 text-[13px] text-muted-foreground">
        {elsewhere.map(({ integration_type: type, active, metadata: { title, reason } }) => (
          <li key={type}>
            {type === "webhook" && maySeeWebhooks ? (
              <Link href="/settings/webhooks" className="text-link underline underline-offset-4">
                {title}
              </Link>
            ) : (
              <span className="text-foreground">{title}</span>
            )}
            : {active ? "active." : reason}
          </li>
        ))}
        <li>Connect any other service through webhooks and the API.</li>
      </ul>
    </section>
  );
}
