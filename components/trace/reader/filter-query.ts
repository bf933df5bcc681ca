import type { LogsFilter } from "#lib/client/pages/filtered-log-queries.ts";
import type { TraceFilter } from "./trace-filter.ts";

/** A filter as parameters of the API; conditions that are not set are left out. */
export function filterQueryOf({ types, tools, isErrors, isProse, text }: TraceFilter): LogsFilter {
  const query: LogsFilter = {};
  if (types.length > 0) query.message_type = types.join(",");
  if (tools.length > 0) query.tool_name = tools.join(",");
  if (isErrors) query.errors = "true";
  if (isProse) query.prose = "true";
  if (text.trim() !== "") query.q = text;
  return query;
}
