import { CircleCheck, CircleX } from "lucide-react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import type { McpServerStatus } from "#lib/contract/integrations/mcp-server.ts";

/** Each MCP server: its address, whether it works, and its number of tools. */
export function McpFacts({ servers }: { servers: readonly McpServerStatus[] }) {
  if (servers.length === 0) {
    return <p className="text-[13px] text-muted-foreground">Give agents the tools of other services.</p>;
  }
  return (
    <ul aria-label="MCP servers" className="grid gap-1.5 text-[13px] text-muted-foreground">
      {servers.map(({ id, name, url, active, reason, checked_at, server, tools }) => (
        <li key={id} className="grid min-w-0 grid-cols-[16px_minmax(0,1fr)] gap-x-2">
          {active ? (
            <CircleCheck aria-label="Works" role="img" className="mt-0.5 size-4 text-status-completed" />
          ) : (
            <CircleX aria-label="Does not work" role="img" className="mt-0.5 size-4 text-status-failed" />
          )}
          <div className="grid min-w-0">
            <p className="flex flex-wrap gap-x-2">
              <span className="text-foreground">{name}</span>
              <span className="min-w-0 break-all">{url}</span>
              {active && tools !== null && <span>{formatCountOf(tools, "tool")}</span>}
              {active && server !== null && <span className="min-w-0 break-words">{server}</span>}
              {checked_at !== null && (
                <span>
                  Checked <RelativeTime at={checked_at} />
                </span>
              )}
            </p>
            {reason !== null && <p className="text-foreground">{reason}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
