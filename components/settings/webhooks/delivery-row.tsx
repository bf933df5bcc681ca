import Link from "next/link";
import { toastFailure } from "#components/page/toast-failure.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useResendDelivery } from "#lib/client/pages/webhook-queries.ts";
import type { WebhookDelivery } from "#lib/contract/integrations/webhook.ts";
import { TargetAnswer } from "./target-answer.tsx";
import { stateWords } from "./webhook-words.ts";

type DeliveryRowProps = { delivery: WebhookDelivery; orgId: number };

/** One delivery: its event, run, result and response. */
export function DeliveryRow({ delivery, orgId }: DeliveryRowProps) {
  const resend = useResendDelivery(orgId);
  const { id, event, agent_run_id, state, late, created_at } = delivery;
  const { label, variant } = stateWords[state];
  const send = () =>
    // Not callbacks of mutate, which are not called once the row is gone.
    resend.mutateAsync(id).then(() => toast({ title: "Sending again" }), toastFailure("Could not send again"));
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 border-border border-b px-2 py-2">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge variant={variant}>{label}</Badge>
          {late && (
            <Badge variant="outline" title="A later event of this run was sent before it">
              Late
            </Badge>
          )}
          <code className="text-[13px]">{event}</code>
          <Link href={`/runs/${agent_run_id}`} className="text-link underline underline-offset-4">
            Run #{agent_run_id}
          </Link>
          <RelativeTime at={created_at} className="text-[13px] text-muted-foreground" />
        </p>
        <Facts delivery={delivery} />
        {delivery.answer !== null && delivery.answer !== "" && (
          <details className="text-[13px]">
            <summary className="w-fit cursor-pointer text-muted-foreground">Response</summary>
            <div className="pt-1">
              <TargetAnswer answer={delivery.answer} />
            </div>
          </details>
        )}
      </div>
      <Button
        variant="outline"
        size="sm"
        pending={resend.isPending}
        aria-label={`Send ${event} of run ${agent_run_id} again`}
        onClick={send}
      >
        Send again
      </Button>
    </li>
  );
}

function Facts({ delivery }: { delivery: WebhookDelivery }) {
  const { url, of_run, attempts, status, error, next_attempt_at, attempted_at } = delivery;
  return (
    <div className="grid min-w-0 gap-0.5 text-[13px] text-muted-foreground">
      <p className="flex min-w-0 gap-x-2">
        <span className="truncate" title={url}>
          {url}
        </span>
        {of_run && <span className="shrink-0">the run's own webhook</span>}
      </p>
      <p className="flex flex-wrap gap-x-2">
        <span className="tabular-nums">
          {attempts === 0 ? "Not sent yet" : attempts === 1 ? "1 attempt" : `${attempts} attempts`}
        </span>
        {status !== null && <span className="tabular-nums">Response {status}</span>}
        {attempts > 1 && attempted_at !== null && (
          <span>
            Last attempt <RelativeTime at={attempted_at} />
          </span>
        )}
        {next_attempt_at !== null && attempts > 0 && (
          <span>
            Next attempt <RelativeTime at={next_attempt_at} />
          </span>
        )}
      </p>
      {error !== null && <p className="text-foreground">{error}</p>}
    </div>
  );
}
