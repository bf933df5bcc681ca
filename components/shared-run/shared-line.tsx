"use client";

import { Fragment, type ReactNode } from "react";
import { formatCount } from "#components/shell/format-number.ts";
import { Mark } from "#components/shell/mark.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { useIsInBrowser } from "#components/ui/use-is-in-browser.ts";
import type { ShareFacts } from "#lib/contract/runs/shared-run.ts";

/** Explains the page: who shared it, until when, and what it omits. */
export function SharedLine({ share }: { share: ShareFacts }) {
  const parts: { name: string; text: ReactNode }[] = [
    {
      name: "by",
      text:
        share.shared_by === null ? (
          "A shared run"
        ) : (
          <>
            Shared by <VisibleText text={share.shared_by} />
          </>
        ),
    },
    { name: "until", text: <Until at={share.expires_at} /> },
  ];
  const { from_seq: from, to_seq: to } = share;
  if (to !== null) parts.push({ name: "range", text: `steps ${formatCount(from)} to ${formatCount(to)} of the run` });
  else if (from > 1) parts.push({ name: "range", text: `from step ${formatCount(from)} of the run` });
  if (!share.outputs) parts.push({ name: "outputs", text: "tool output and file contents hidden" });
  return (
    <aside
      aria-label="About this page"
      className="flex shrink-0 items-start gap-2 border-border border-b bg-muted px-4 py-1.5 text-[13px] text-muted-foreground"
    >
      <Mark className="mt-0.5 size-3.5 shrink-0 text-foreground" />
      <span className="font-medium text-foreground">Errand</span>
      <p className="min-w-0">
        {parts.map(({ name, text }, index) => (
          <Fragment key={name}>
            {index > 0 && " · "}
            {text}
          </Fragment>
        ))}
        <span className="max-sm:hidden"> · read-only, secrets masked</span>
      </p>
    </aside>
  );
}

/** A date in the reader's own time zone, which is unknown on the server. */
function Until({ at }: { at: string | null }) {
  const isInBrowser = useIsInBrowser();
  if (at === null) return "no expiry";
  const words = isInBrowser
    ? new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })
    : at.slice(0, 10);
  return (
    <>
      until <time dateTime={at}>{words}</time>
    </>
  );
}
