import { CommandLine } from "#components/page/command-line.tsx";
import { formatBytes } from "#components/shell/format-number.ts";
import { Badge } from "#components/ui/badge.tsx";
import { bodyBytesMaxDefault } from "#lib/contract/operation.ts";
import { runActs } from "#lib/contract/run-acts.ts";
import type { OperationWords } from "./api-description.ts";
import { exampleRequest } from "./example-request.ts";
import { FieldsTable, Type } from "./fields-table.tsx";

/** One operation: what it is called by, who may, what it takes and answers, and a command to try it. */
export function OperationSection({ words, origin }: { words: OperationWords; origin: string }) {
  const { operation, pathFields, queryFields, body, result } = words;
  return (
    <section id={operation.id} aria-labelledby={`${operation.id}-title`} className="grid scroll-mt-16 gap-4">
      <div className="grid gap-1.5">
        <h3 id={`${operation.id}-title`} className="font-semibold text-base/6">
          <a href={`#${operation.id}`} className="hover:underline">
            {operation.summary}
          </a>
        </h3>
        <p className="flex flex-wrap items-center gap-2">
          <Badge>{operation.method}</Badge>
          <code className="break-all">{operation.path}</code>
        </p>
        {operation.aliases.map((alias) => (
          <p key={alias} className="text-[13px] text-muted-foreground">
            also <code className="break-all">{alias}</code>
          </p>
        ))}
        {operation.description !== "" && <p>{operation.description}</p>}
        <p className="text-[13px] text-muted-foreground">{conditions(words)}</p>
      </div>
      <FieldsTable caption="Path" fields={pathFields} showRequired={false} />
      <FieldsTable caption="Query" fields={queryFields} showRequired />
      {body !== null && <FieldsTable caption="Body" fields={body.fields} showRequired />}
      {result.fields.length > 0 ? (
        <FieldsTable caption="Answer" fields={result.fields} showRequired={false} />
      ) : (
        <p className="text-[13px]">
          <span className="font-medium">Answer </span>
          {operation.resultType === "application/json" ? (
            <Type type={result.type} />
          ) : (
            <code>{operation.resultType}</code>
          )}
        </p>
      )}
      <CommandLine command={exampleRequest(origin, operation)} label={`Copy the example of ${operation.id}`} />
    </section>
  );
}

function conditions({
  operation: { scope, tokenScope, sessionOnly, act, rateClass, idempotent, stability, bodyBytesMax },
  body,
}: OperationWords): string {
  return [
    scope === null
      ? "Needs no authentication."
      : sessionOnly
        ? "Any session may ask; tokens are refused."
        : scope === "any"
          ? `Any ${tokenScope === null ? "token or session" : "session"} may ask.`
          : `Needs the scope ${scope}.`,
    act !== null &&
      runActs[act].own !== runActs[act].others &&
      `With somebody else's run it needs the role ${runActs[act].others}.`,
    tokenScope !== null && `A token needs the scope ${tokenScope}.`,
    rateClass !== "none" && `Rate limit: ${rateClass}.`,
    idempotent && "Takes an Idempotency-Key.",
    stability !== null && `Stability: ${stability}.`,
    body !== null && bodyBytesMax !== bodyBytesMaxDefault && `The body may have ${formatBytes(bodyBytesMax)}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
