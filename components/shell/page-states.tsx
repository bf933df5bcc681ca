"use client";

import { Lock, SearchX, TriangleAlert, WifiOff } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useSyncExternalStore } from "react";
import { RequestId } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

/** A page or a part of it on its way. Its lines, or `children` in their place, appear after 200 ms. */
export function Loading({ label = "Loading", lines = 6, children, className }: LoadingProps) {
  return (
    <div role="status" className={cn("grid gap-3 p-4", className)}>
      <span className="sr-only">{label}</span>
      {children ??
        Array.from({ length: lines }, (_, index) => index).map((line) => (
          <Skeleton key={line} className={cn("h-8", line % 3 === 2 && "w-3/4")} />
        ))}
    </div>
  );
}

type LoadingProps = { label?: string; lines?: number; children?: ReactNode; className?: string };

type ErrorStateProps = {
  title?: string;
  detail?: ReactNode;
  /** What the operator searches the log by. */
  requestId?: string | null;
  onRetry?: () => void;
};

/** A page that could not be shown. */
export function ErrorState({ title = "This page could not be loaded", detail, requestId, onRetry }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={<TriangleAlert />}
        heading="h1"
        title={title}
        description={detail}
        action={
          onRetry && (
            <Button variant="outline" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        {requestId && <RequestId id={requestId} />}
      </EmptyState>
    </div>
  );
}

/** What was asked for is not there, or not visible to this person: the two look the same on purpose. */
export function NotFoundState({ what = "page", back = { label: "All runs", href: "/runs" } }: NotFoundStateProps) {
  return (
    <EmptyState
      icon={<SearchX />}
      heading="h1"
      title={`No such ${what}`}
      description={`There is no ${what} at this address, or it is not yours to see.`}
      action={
        <Button asChild variant="outline">
          <Link href={back.href}>{back.label}</Link>
        </Button>
      }
    />
  );
}

type NotFoundStateProps = { what?: string; back?: { label: string; href: string } };

/** The person is known and may not see this. */
export function NoPermissionState({
  detail = "Ask an administrator of the organization for access.",
}: {
  detail?: ReactNode;
}) {
  return <EmptyState icon={<Lock />} heading="h1" title="You do not have access to this" description={detail} />;
}

/** Says that the browser is offline, for as long as it is. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 border-border border-b bg-muted px-4 py-1.5 text-[13px]">
          <WifiOff aria-hidden className="size-4 shrink-0 text-status-waiting" />
          You are offline. This page catches up by itself.
        </p>
      )}
    </div>
  );
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
