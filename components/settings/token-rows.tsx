import { useSession } from "#components/session/session.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { ListedToken } from "#lib/contract/people/token.ts";

import { ownersOf } from "./token-owner.ts";

const columns =
  "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-2 md:grid-cols-[minmax(0,1fr)_96px_96px_112px_112px_88px]";

type TokenRowsProps = { tokens: ListedToken[]; onRevoke: (token: ListedToken) => void };

/** One line per token, newest first. */
export function TokenRows({ tokens, onRevoke }: TokenRowsProps) {
  const { user } = useSession();
  const owners = ownersOf(tokens, user.id);
  return (
    <div>
      <div aria-hidden className={cn(columns, "hidden h-8 text-muted-foreground text-xs md:grid")}>
        <span>Name</span>
        <span>Role</span>
        <span>Expires</span>
        <span>Created</span>
        <span>Last used</span>
      </div>
      <ul aria-label="Tokens" className="border-border border-t">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} owner={owners?.get(token.id) ?? null} onRevoke={onRevoke} />
        ))}
      </ul>
    </div>
  );
}

function TokenRow({
  token,
  owner,
  onRevoke,
}: {
  token: ListedToken;
  owner: string | null;
  onRevoke: (token: ListedToken) => void;
}) {
  const { name, role, hint, created_at, expires_at, last_used_at } = token;
  return (
    <li className={cn(columns, "min-h-11 gap-y-1 border-border border-b py-2 md:py-1")}>
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-[13px] text-muted-foreground">
          {owner !== null && `${owner} · `}
          <code className="text-xs">errand_…{hint}</code>
        </span>
      </span>
      <span className="max-md:hidden">
        <Badge variant="outline">{role}</Badge>
      </span>
      <span className="text-muted-foreground max-md:hidden">
        {expires_at === null ? "Never" : <RelativeTime at={expires_at} />}
      </span>
      <span className="text-muted-foreground max-md:hidden">
        <RelativeTime at={created_at} />
      </span>
      <span className="text-muted-foreground max-md:hidden">
        {last_used_at === null ? "Never" : <RelativeTime at={last_used_at} />}
      </span>
      <span className="text-right">
        <Button
          variant="outline"
          size="sm"
          aria-label={owner === null || owner === "You" ? `Revoke ${name}` : `Revoke ${name} of ${owner}`}
          onClick={() => onRevoke(token)}
        >
          Revoke
        </Button>
      </span>
      <span className="col-span-2 flex flex-wrap gap-x-2 text-[13px] text-muted-foreground md:hidden">
        <Badge variant="outline">{role}</Badge>
        {last_used_at === null ? (
          "Never used"
        ) : (
          <span>
            Used <RelativeTime at={last_used_at} />
          </span>
        )}
        {expires_at !== null && (
          <span>
            Expires <RelativeTime at={expires_at} />
          </span>
        )}
      </span>
    </li>
  );
}
