"use client";

import Link from "next/link";
import { loginPath } from "#components/session/login-path.ts";
import { formatCount } from "#components/shell/format-number.ts";
import { Badge } from "#components/ui/badge.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ScrollingCode } from "./scrolling-code.tsx";
import { shownCharactersMax } from "./try-request.ts";
import type { TryAnswer } from "./use-try.ts";

/** A response: status, time, the relevant headers, and the body. */
export function TryAnswerBox({ answer, operationId }: { answer: TryAnswer; operationId: string }) {
  const { asked, status, statusText, headers, text, tookMs, hasEnded } = answer;
  const isCut = text.length > shownCharactersMax;
  const took = `${formatCount(Math.round(tookMs))} ms`;
  return (
    <section aria-label="Response" className="grid min-w-0 gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span role="status" className="flex items-center gap-2">
          <Badge variant={status < 300 ? "completed" : "failed"}>
            {status} {statusText}
          </Badge>
          <span className="text-[13px] text-muted-foreground tabular-nums">{hasEnded ? took : "open"}</span>
        </span>
        <code className="min-w-0 break-all text-muted-foreground">{asked}</code>
      </p>
      {status === 401 && (
        <p>
          Your session has ended.{" "}
          <Link
            href={loginPath(`${window.location.pathname}#${operationId}`)}
            className="text-link underline underline-offset-4"
          >
            Sign in again
          </Link>
        </p>
      )}
      <dl className="grid gap-x-4 gap-y-0.5 text-[13px] sm:grid-cols-[max-content_minmax(0,1fr)]">
        {headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd>
              <code className="break-all">{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      {text !== "" && (
        <div className="flex min-w-0 items-start rounded-lg border border-border bg-code">
          <ScrollingCode text={isCut ? text.slice(0, shownCharactersMax) : text} height="tall" />
          <CopyButton text={text} label="Copy the response" className="m-0.5 shrink-0" />
        </div>
      )}
      {isCut && (
        <p className="text-[13px] text-muted-foreground">
          The first {formatCount(shownCharactersMax)} of {formatCount(text.length)} characters. Copy copies all of it.
        </p>
      )}
    </section>
  );
}
