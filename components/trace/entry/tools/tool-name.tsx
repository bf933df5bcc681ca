import { VisibleText } from "#components/text/visible-text.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { toolNameOf } from "#lib/entry/tool-name.ts";

/** Complete name of a tool, with a badge of its MCP server. */
export function ToolName({ name: toolName }: { name: string | null }) {
  const { name, server } = toolNameOf(toolName);
  return (
    <span
      className="inline-flex min-w-0 max-w-full shrink-0 flex-wrap items-center gap-x-1.5 text-muted-foreground text-xs"
      title={toolName ?? undefined}
    >
      {server !== null && (
        <Badge variant="outline" title={`Tool of the MCP server ${server}`} className="shrink font-normal">
          <span className="sr-only">MCP server </span>
          <span className="truncate">
            <VisibleText text={server} />
          </span>
        </Badge>
      )}
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <VisibleText text={name} />
      </span>
    </span>
  );
}
