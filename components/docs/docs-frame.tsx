import { ChevronDown } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { loginPath } from "#components/session/login-path.ts";
import { Mark } from "#components/shell/mark.tsx";
import { guideSections } from "./guide-sections.ts";
import { PlaceList } from "./place-list.tsx";
import type { Docs } from "./read-docs.ts";

/** A page of the documentation: `guide`, `changelog`, or the slug of a tag. */
export type DocsPageName = string;

type DocsFrameProps = { docs: Docs; current: DocsPageName; children: ReactNode };

const mainId = "main";

/** Header and contents around every page of the documentation. Works without scripts. */
export function DocsFrame({ docs, current, children }: DocsFrameProps) {
  return (
    <>
      <a
        href={`#${mainId}`}
        className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2 focus-visible:z-50 focus-visible:rounded-md focus-visible:border focus-visible:bg-popover focus-visible:px-3 focus-visible:py-1.5"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-10 flex h-12 items-center gap-2.5 border-border border-b bg-background px-4 md:px-6">
        <Link href="/runs" prefetch={false} className="flex items-center gap-2.5 font-semibold">
          <Mark className="size-4" /> Errand
        </Link>
        <Link href="/docs" prefetch={false} className="text-muted-foreground hover:text-foreground">
          API docs
        </Link>
        <div className="ml-auto flex items-center gap-4 text-[13px]">
          <a href="/v1/openapi.json" className="text-link underline-offset-4 hover:underline">
            OpenAPI 3.1
          </a>
          {docs.reader === null && (
            <Link
              href={loginPath(current === "guide" ? "/docs" : pathOf(current))}
              prefetch={false}
              className="text-link underline-offset-4 hover:underline"
            >
              Sign in
            </Link>
          )}
        </div>
      </header>
      <details className="group border-border border-b px-4 md:px-6 lg:hidden">
        <summary className="flex h-11 list-none items-center justify-between font-medium [&::-webkit-details-marker]:hidden">
          Contents
          <ChevronDown aria-hidden className="size-4 text-muted-foreground group-open:rotate-180" />
        </summary>
        <Contents docs={docs} current={current} className="pb-4" />
      </details>
      <div className="mx-auto flex max-w-360 gap-10 px-4 md:px-6">
        <Contents
          docs={docs}
          current={current}
          className="sticky top-12 hidden h-[calc(100dvh-48px)] w-52 shrink-0 overflow-y-auto py-8 lg:block"
        />
        <main id={mainId} tabIndex={-1} className="min-w-0 flex-1 py-8 outline-none">
          {children}
        </main>
      </div>
    </>
  );
}

/** The address of a page. */
function pathOf(page: DocsPageName): string {
  if (page === "guide") return "/docs";
  return page === "changelog" ? "/docs/changelog" : `/docs/reference/${page}`;
}

type ContentsProps = { docs: Docs; current: DocsPageName; className: string };

function Contents({ docs, current, className }: ContentsProps) {
  const { tags } = docs.api;
  return (
    <nav aria-label="Contents" className={`text-[13px] ${className}`}>
      <ul className="grid gap-0.5">
        <PageItem page="guide" label="Guide" current={current}>
          <PlaceList places={guideSections.map(({ id, title }) => ({ id, label: title }))} />
        </PageItem>
        <li className="px-2 pt-3 pb-0.5 text-muted-foreground text-xs">Reference</li>
        {tags.map(({ tag, slug, operations, types }) => (
          <PageItem key={slug} page={slug} label={tag} current={current}>
            <PlaceList
              places={[
                ...operations.map(({ operation: { id, summary } }) => ({ id, label: summary })),
                ...(types.length > 0 ? [{ id: "types", label: "Types" }] : []),
              ]}
            />
          </PageItem>
        ))}
        <li className="pt-3">
          <ul>
            <PageItem page="changelog" label="Changelog" current={current} />
          </ul>
        </li>
      </ul>
    </nav>
  );
}

type PageItemProps = { page: DocsPageName; label: string; current: DocsPageName; children?: ReactNode };

/** Link to a page; the current page also lists its sections. */
function PageItem({ page, label, current, children }: PageItemProps) {
  const isCurrent = page === current;
  return (
    <li>
      <Link
        href={pathOf(page)}
        prefetch={false}
        aria-current={isCurrent ? "page" : undefined}
        className="block rounded-md px-2 py-1 hover:bg-accent aria-[current]:font-medium aria-[current]:bg-accent pointer-coarse:py-2.5"
      >
        {label}
      </Link>
      {isCurrent && children}
    </li>
  );
}
