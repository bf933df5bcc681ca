"use client";

import { useQuery } from "@tanstack/react-query";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { sessionsQuery } from "#lib/client/pages/people-queries.ts";
import { useEndOtherSessions } from "#lib/client/pages/profile-mutations.ts";
import type { Session } from "#lib/contract/people/profile.ts";
import { browserName } from "./browser-name.ts";

/** Browsers the person is signed in with, and a button to end all other sessions. */
export function SessionRows() {
  const end = useEndOtherSessions();
  return (
    <LoadedPart query={useQuery(sessionsQuery())} what="the sessions" lines={2}>
      {({ items }) => (
        <>
          <ul aria-label="Sessions" className="border-border border-t">
            {items.map((session) => (
              <SessionRow key={`${session.created_at} ${session.current}`} session={session} />
            ))}
          </ul>
          {end.error !== null && <ErrorAlert title="Could not sign out elsewhere" {...describeError(end.error)} />}
          {items.length > 1 && (
            <div>
              <Button
                variant="outline"
                pending={end.isPending}
                onClick={() =>
                  end.mutate(undefined, {
                    onSuccess: ({ ended }) =>
                      toast({
                        title: "Signed out elsewhere",
                        description: `${formatCountOf(ended, "session")} ended.`,
                      }),
                  })
                }
              >
                Sign out everywhere else
              </Button>
            </div>
          )}
        </>
      )}
    </LoadedPart>
  );
}

const wayWords: Record<Session["way"], string> = {
  password: "with a password",
  link: "with a sign-in link",
  openid_connect: "with single sign-on",
};

function SessionRow({ session }: { session: Session }) {
  return (
    <li className="grid gap-0.5 border-border border-b px-2 py-2">
      <p className="flex items-center gap-2">
        <span className="min-w-0 truncate font-medium" title={session.user_agent ?? undefined}>
          {browserName(session.user_agent)}
        </span>
        {session.current && <Badge>This browser</Badge>}
      </p>
      <p className="text-[13px] text-muted-foreground">
        Signed in {wayWords[session.way]} <RelativeTime at={session.created_at} />, last seen{" "}
        <RelativeTime at={session.last_seen_at ?? session.created_at} />
      </p>
    </li>
  );
}
