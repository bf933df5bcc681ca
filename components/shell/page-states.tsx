import { Lock, SearchX } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClasses } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** Something that does not exist, or that this person may not see: the two look the same on purpose. */
export function NotFoundState({ what = "page", back = { label: "All runs", href: "/runs" } }: NotFoundStateProps) {
  return (
    <EmptyState
      icon={<SearchX />}
      heading="h1"
      title={`No such ${what}`}
      description={`There is no ${what} at this address, or you may not see it.`}
      action={
        <Link href={back.href} className={buttonClasses({ variant: "outline" })}>
          {back.label}
        </Link>
      }
    />
  );
}

type NotFoundStateProps = { what?: string; back?: { label: string; href: string } };

/** A signed-in person who may not see this. */
export function NoPermissionState({
  detail = "Ask an administrator of the organization for access.",
}: {
  detail?: ReactNode;
}) {
  return <EmptyState icon={<Lock />} heading="h1" title="You do not have access to this" description={detail} />;
}
