import { Lock, SearchX } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClasses } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** Shown for something that does not exist or that this person may not see; deliberately the same for both. */
export function NotFoundState({
  what = "page",
  back = { label: "All runs", href: "/runs" },
  isAddress = false,
}: NotFoundStateProps) {
  return (
    <EmptyState
      icon={<SearchX />}
      heading="h1"
      title={`No such ${what}`}
      description={`There is no ${what} at this address${isAddress ? "" : ", or you do not have access to it"}.`}
      action={
        <Link href={back.href} className={buttonClasses({ variant: "outline" })}>
          {back.label}
        </Link>
      }
    />
  );
}

type NotFoundStateProps = {
  what?: string;
  back?: { label: string; href: string };
  /** Whether no page at all can be at this address. */
  isAddress?: boolean;
};

/** Shown to a signed-in person who may not see the page. */
export function NoPermissionState({ detail = "Ask an admin of the organization for access." }: { detail?: ReactNode }) {
  return <EmptyState icon={<Lock />} heading="h1" title="You do not have access to this" description={detail} />;
}
