"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { formatCount } from "#components/shell/format-number.ts";
import { parsePageNumber } from "#lib/client/pages/page-number.ts";
import { RefusableButton } from "./refusable-button.tsx";

type PageTurnerProps = {
  /** Accessible name of the navigation. */
  label: string;
  page: number;
  pages: number;
  onTurn: (page: number) => void;
  /** Labels of the two buttons. */
  back?: string;
  forward?: string;
};

/** Links to the previous and the next page. Nothing if there is only one page. */
export function PageTurner({ label, page, pages, onTurn, back = "Previous", forward = "Next" }: PageTurnerProps) {
  if (pages <= 1 && page === 1) return null;
  return (
    <nav aria-label={label} className="flex items-center justify-between gap-2">
      <RefusableButton
        variant="outline"
        refusal={page <= 1 ? "This is the first page" : null}
        onClick={() => onTurn(Math.min(page - 1, Math.max(1, pages)))}
      >
        <ChevronLeft aria-hidden /> {back}
      </RefusableButton>
      <span className="text-[13px] text-muted-foreground tabular-nums">
        {page > pages ? `No page ${formatCount(page)}` : `Page ${formatCount(page)} of ${formatCount(pages)}`}
      </span>
      <RefusableButton
        variant="outline"
        refusal={page >= pages ? "This is the last page" : null}
        onClick={() => onTurn(page + 1)}
      >
        {forward} <ChevronRight aria-hidden />
      </RefusableButton>
    </nav>
  );
}

/** Page number of a list in the address (`?page=2`), from 1, and a setter. */
export function usePageNumber(): [page: number, turnTo: (page: number) => void] {
  const page = parsePageNumber(useSearchParams().get("page"));
  const turnTo = (next: number) => {
    window.history.pushState(null, "", next === 1 ? window.location.pathname : `?page=${next}`);
    window.scrollTo({ top: 0 });
  };
  return [page, turnTo];
}
