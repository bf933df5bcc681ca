import { Badge } from "#components/ui/badge.tsx";
import type { WebhookTestResult } from "#lib/contract/integrations/webhook.ts";
import { TargetAnswer } from "./target-answer.tsx";

/** A target's response to a test. */
export function TestResult({ result }: { result: WebhookTestResult }) {
  const { delivered, status, answer, error, duration_ms, signed } = result;
  return (
    <section aria-label="Test result" role="status" className="grid gap-2 rounded-lg border border-border bg-card p-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge variant={delivered ? "completed" : "failed"}>{delivered ? "Delivered" : "Not delivered"}</Badge>
        <span className="text-[13px] text-muted-foreground tabular-nums">
          {status === null ? "No response" : `Response ${status}`} · {duration_ms} ms
          {signed ? "" : " · not signed: there is no secret yet"}
        </span>
      </p>
      {error !== null && <p className="text-[13px]">{error}</p>}
      <TargetAnswer answer={answer} />
    </section>
  );
}
