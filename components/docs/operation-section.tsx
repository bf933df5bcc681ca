import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { loginPath } from "#components/session/login-path.ts";
import { Badge } from "#components/ui/badge.tsx";
import { noticeDays } from "#lib/contract/compatibility.ts";
import { errorTable } from "#lib/contract/error.ts";
import { bodyBytesMaxDefault } from "#lib/contract/operation.ts";
import { runActs } from "#lib/contract/runs/run-acts.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { type OperationWords, operationHref } from "./api-description.ts";
import { codeWords } from "./code-words.tsx";
import { DocsLink } from "./docs-link.tsx";
import { FieldsTable, Type } from "./fields-table.tsx";
import { Fold } from "./fold.tsx";
import { PathWords } from "./path-words.tsx";
import type { Docs, Reader } from "./read-docs.ts";
import { requestSamples, sampleRequest } from "./request-samples.ts";
import { SampleTabs } from "./sample-tabs.tsx";
import type { Field } from "./schema-fields.ts";
import { ScrollingCode } from "./scrolling-code.tsx";
import { TryIt } from "./try-it.tsx";
import { tryOperation, whyNotTried } from "./try-operation.ts";

/** One operation: purpose, access, input and output, samples, and a form to try it. */
export function OperationSection({ words, docs: { origin, reader } }: { words: OperationWords; docs: Docs }) {
  const { operation, pathFields, queryFields, body, result } = words;
  const { id, summary, method, path, aliases, description } = operation;
  const samples = requestSamples(sampleRequest(operation, origin, reader?.organizationId ?? 1));
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 scroll-mt-16 gap-x-10 gap-y-5 border-border border-t pt-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,31rem)]"
    >
      <div className="grid min-w-0 content-start gap-5">
        <div className="grid gap-2">
          <h2 id={`${id}-title`} className="font-semibold text-base/6">
            <a href={`#${id}`} className="hover:underline">
              {summary}
            </a>
          </h2>
          {[path, ...aliases].map((each, index) => (
            <p key={each} className="flex items-baseline gap-2">
              <Badge variant={index === 0 ? "default" : "outline"} className="font-mono">
                {method}
              </Badge>
              <code className={`wrap-anywhere min-w-0 ${index === 0 ? "" : "text-muted-foreground"}`}>
                <PathWords path={each} />
              </code>
            </p>
          ))}
          {description !== "" && <p>{codeWords(description)}</p>}
        </div>
        <Facts words={words} />
        <FieldsTable caption="Path" fields={pathFields} showRequired={false} />
        <FieldsTable caption="Query" fields={queryFields} showRequired />
        {body !== null && <FieldsTable caption="Body" fields={body.fields} showRequired />}
        <AnswerFields fields={result.fields} />
      </div>
      <div className="min-w-0">
        <div className="grid min-w-0 gap-3 xl:sticky xl:top-16">
          <SampleTabs title={`Request: ${summary}`} samples={samples} />
          {result.sample !== null && <SampleAnswer text={result.sample} />}
          {result.sampleOf !== null && (
            <p className="text-[13px] text-muted-foreground">
              Response: 200, as of <DocsLink href={`#${result.sampleOf}`}>{result.sampleOf}</DocsLink>
            </p>
          )}
        </div>
      </div>
      <div className="min-w-0 xl:col-span-2">
        <Trying words={words} reader={reader} />
      </div>
    </section>
  );
}

const openFieldsMax = 12;

/** Long responses are folded: the browser's find opens them. */
function AnswerFields({ fields }: { fields: Field[] }) {
  if (fields.length <= openFieldsMax) return <FieldsTable caption="Response" fields={fields} showRequired={false} />;
  return (
    <Fold summary={`Response: ${fields.length} fields`}>
      <FieldsTable caption="Response" fields={fields} showRequired={false} />
    </Fold>
  );
}

function SampleAnswer({ text }: { text: string }) {
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-border bg-code">
      <p className="border-border border-b px-3 py-1.5 font-medium text-[13px] text-muted-foreground">Response: 200</p>
      <ScrollingCode text={text} height="middle" />
    </div>
  );
}

function Facts({ words }: { words: OperationWords }) {
  const { operation, result, limit, errors, body } = words;
  const { rateClass, idempotent, stability, deprecated, bodyBytesMax, resultType, otherTypes } = operation;
  return (
    <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[6.5rem_minmax(0,1fr)]">
      <Fact name="Access">{codeWords(accessWords(words))}</Fact>
      <Fact name="Rate limit">
        {limit === null ? (
          "None"
        ) : (
          <>
            <DocsLink href="/docs#rate-limits">{rateClass}</DocsLink>: {limit}
          </>
        )}
      </Fact>
      {idempotent !== null && (
        <Fact name="Retries">
          {idempotent === "once" ? "Takes effect once for each" : "Safe to repeat without an"}{" "}
          <DocsLink href="/docs#idempotency">Idempotency-Key</DocsLink>
        </Fact>
      )}
      {operation.ifMatch && (
        <Fact name="Conditions">
          Takes <DocsLink href="/docs#conditional">If-Match</DocsLink>
        </Fact>
      )}
      {deprecated !== null && (
        <Fact name="Deprecated">
          since {deprecated.since}; it may stop working on {deprecated.sunset}:{" "}
          <DocsLink href={deprecated.link}>what to do instead</DocsLink>
        </Fact>
      )}
      {stability !== null && (
        <Fact name="Stability">
          {stability}: may change after{" "}
          <DocsLink href="/docs/changelog#notice">{noticeDays[stability]} days&rsquo; notice</DocsLink>
        </Fact>
      )}
      {body !== null && bodyBytesMax !== bodyBytesMaxDefault && (
        <Fact name="Body">at most {formatBytes(bodyBytesMax)}</Fact>
      )}
      {(result.fields.length === 0 || otherTypes.length > 0) && (
        <Fact name="Response">
          {resultType === "application/json" ? <Type type={result.type} /> : <code>{resultType}</code>}
          {otherTypes.map((type) => (
            <Fragment key={type}>
              {" "}
              or <code>{type}</code>
            </Fragment>
          ))}
        </Fact>
      )}
      <Fact name="Errors">
        {errors.map((code, index) => (
          <span key={code}>
            {index > 0 && ", "}
            <a
              href={`/docs#error-${code}`}
              title={errorTable[code].title}
              className="text-link underline underline-offset-4"
            >
              {errorTable[code].status}
            </a>{" "}
            <code className="text-muted-foreground">{code}</code>
          </span>
        ))}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 max-sm:pb-1">{children}</dd>
    </div>
  );
}

function accessWords({ operation: { scope, tokenScope, sessionOnly, act } }: OperationWords): string {
  const others =
    act !== null && runActs[act].own !== runActs[act].others
      ? `; for someone else's run, the role \`${runActs[act].others}\``
      : "";
  if (scope === null) return "Needs no authentication";
  if (sessionOnly) return "Browser sessions only; tokens are refused";
  if (tokenScope !== null) {
    const session = scope === "any" ? "Any session" : `A session with the scope \`${scope}\``;
    return `${session}, or a token with the scope \`${tokenScope}\`${others}`;
  }
  return scope === "any" ? `Any token or session${others}` : `Scope \`${scope}\`${others}`;
}

function Trying({ words, reader }: { words: OperationWords; reader: Reader | null }) {
  const refusal = whyNotTried(words.operation);
  if (refusal !== null) {
    return (
      <Fold summary="Try it">
        <p>Not available here. {refusal}</p>
      </Fold>
    );
  }
  if (reader !== null) {
    return <TryIt operation={tryOperation(words, reader.organizationId)} reader={reader} />;
  }
  return (
    <Fold summary="Try it">
      <p>
        Requests are sent with your session.{" "}
        <Link
          href={loginPath(operationHref(words.operation))}
          prefetch={false}
          className="text-link underline underline-offset-4"
        >
          Sign in
        </Link>{" "}
        to try it.
      </p>
    </Fold>
  );
}
