"use client";

import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useSession } from "#components/session/session.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import type { User } from "#lib/contract/people/organization.ts";
import type { SignInWay } from "#lib/contract/people/person.ts";
import { isAtLeast } from "#lib/contract/people/role-scopes.ts";
import { roles } from "#lib/contract/words.ts";
import { RemoveDialog, ResetDialog, RoleDialog } from "./member-dialogs.tsx";
import { nameOf } from "./name-of.ts";

const columns =
  "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-2 md:grid-cols-[minmax(0,1fr)_96px_144px_112px_32px]";

type PendingAction = { what: "role" | "reset" | "remove"; member: User };

type MemberRowsProps = { orgId: number; members: User[] };

/** One line per person, with its actions. */
export function MemberRows({ orgId, members }: MemberRowsProps) {
  const [pending, setPending] = useState<PendingAction | null>(null);
  const dialog = pending === null ? null : { orgId, member: pending.member, onClose: () => setPending(null) };
  return (
    <div>
      <div aria-hidden className={cn(columns, "hidden h-8 text-muted-foreground text-xs md:grid")}>
        <span>Name</span>
        <span>Role</span>
        <span>Sign-in</span>
        <span>Last seen</span>
      </div>
      <ul aria-label="Members" className="border-border border-t">
        {members.map((member) => (
          <MemberRow key={member.id} member={member} onAsk={(what) => setPending({ what, member })} />
        ))}
      </ul>
      {dialog !== null && pending?.what === "role" && <RoleDialog {...dialog} />}
      {dialog !== null && pending?.what === "reset" && <ResetDialog {...dialog} />}
      {dialog !== null && pending?.what === "remove" && <RemoveDialog {...dialog} />}
    </div>
  );
}

const wayWords: Record<SignInWay, string> = {
  password: "Password",
  link: "Sign-in link",
  openid_connect: "Single sign-on",
};

function MemberRow({ member, onAsk }: { member: User; onAsk: (what: PendingAction["what"]) => void }) {
  const { user, role: own } = useSession();
  const role = roles.find((option) => option === member.role) ?? "viewer";
  const mayChange = isAtLeast(own, "admin") && isAtLeast(own, role);
  const name = nameOf(member);
  const ways = member.sign_in_ways.map((way) => wayWords[way]).join(", ") || wayWords.link;
  const seen = member.last_seen_at === null ? "Never" : <RelativeTime at={member.last_seen_at} />;
  return (
    <li className={cn(columns, "min-h-12 gap-y-1 border-border border-b py-2 md:py-1")}>
      <span className="min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {member.id === user.id && <Badge>You</Badge>}
        </span>
        {member.email !== null && member.email !== name && (
          <span className="block truncate text-[13px] text-muted-foreground">{member.email}</span>
        )}
      </span>
      <span className="max-md:hidden">
        <Badge variant="outline">{role}</Badge>
      </span>
      <span className="text-muted-foreground max-md:hidden">{ways}</span>
      <span className="text-muted-foreground max-md:hidden">{seen}</span>
      <span className="text-right">
        {mayChange && (
          <DropdownMenu>
            <DropdownMenuTrigger asChild>
              <Button variant="ghost" size="icon" aria-label={`Actions for ${name}`}>
                <Ellipsis aria-hidden />
              </Button>
            </DropdownMenuTrigger>
            <DropdownMenuContent align="end">
              <DropdownMenuItem onSelect={() => onAsk("role")}>Change role…</DropdownMenuItem>
              <DropdownMenuItem onSelect={() => onAsk("reset")}>Reset password…</DropdownMenuItem>
              <DropdownMenuSeparator />
              <DropdownMenuItem onSelect={() => onAsk("remove")}>
                {member.id === user.id ? "Leave…" : "Remove…"}
              </DropdownMenuItem>
            </DropdownMenuContent>
          </DropdownMenu>
        )}
      </span>
      <span className="col-span-2 flex flex-wrap items-center gap-x-2 text-[13px] text-muted-foreground md:hidden">
        <Badge variant="outline">{role}</Badge>
        <span>{ways}</span>
        <span>{member.last_seen_at === null ? "Never seen" : <>Seen {seen}</>}</span>
      </span>
    </li>
  );
}
