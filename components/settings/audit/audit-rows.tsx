import Link from "next/link";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { cn } from "#components/ui/class-names.ts";
import { type AuditRecord, auditActs } from "#lib/contract/audit.ts";

const columns =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-2 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)_96px]";

/** One line for each record, newest first. */
export function AuditRows({ records }: { records: AuditRecord[] }) {
  return (
    <div>
      <div aria-hidden className={cn(columns, "hidden h-8 items-center text-muted-foreground text-xs md:grid")}>
        <span>What</span>
        <span>Who</span>
        <span>From</span>
        <span className="text-right">When</span>
      </div>
      <ul aria-label="Records" className="border-border border-t">
        {records.map((record) => (
          <AuditRow key={record.id} record={record} />
        ))}
      </ul>
    </div>
  );
}

function AuditRow({ record }: { record: AuditRecord }) {
  const details = detailsText(record.details);
  return (
    <li className={cn(columns, "gap-y-1 border-border border-b py-2")}>
      <span className="min-w-0">
        <span className="block wrap-anywhere">
          <span className="font-medium">{auditActs[record.act] ?? record.act}</span>
          <ObjectName record={record} />
        </span>
        {(details !== "" || "agent_run_id" in record.details) && (
          <span className="block text-[13px] text-muted-foreground wrap-anywhere">
            <RunLink details={record.details} />
            {details}
          </span>
        )}
      </span>
      <span className="text-right md:order-last">
        <RelativeTime at={record.created_at} className="text-muted-foreground" />
      </span>
      <span className="min-w-0 text-[13px] max-md:col-span-2 md:text-sm">
        <span className="block truncate">{whoText(record)}</span>
        {record.token_id !== null && (
          <span className="block truncate text-[13px] text-muted-foreground">
            by the token {record.token_name ?? `#${record.token_id}`}
          </span>
        )}
      </span>
      <span className="min-w-0 text-[13px] text-muted-foreground max-md:col-span-2">
        <span className="block truncate">{record.address ?? (record.actor === "system" ? "This machine" : "–")}</span>
        {record.user_agent !== null && (
          <span className="block truncate" title={record.user_agent}>
            {record.user_agent}
          </span>
        )}
      </span>
    </li>
  );
}

function ObjectName({ record: { object_type, object_id, object_name } }: { record: AuditRecord }) {
  if (object_type === null) return null;
  const name = object_name ?? (object_id === null ? object_type : `${object_type} ${object_id}`);
  if (object_type === "repository" && object_id !== null) {
    return (
      <>
        {" "}
        <Link href={`/repositories/${object_id}`} className="text-link underline underline-offset-4">
          {name}
        </Link>
      </>
    );
  }
  return <> {name}</>;
}

/** The run that the act was about. */
function RunLink({ details: { agent_run_id } }: Pick<AuditRecord, "details">) {
  if (typeof agent_run_id !== "number") return null;
  return (
    <>
      <Link href={`/runs/${agent_run_id}`} className="text-link underline underline-offset-4">
        run {agent_run_id}
      </Link>{" "}
    </>
  );
}

function whoText({ actor, user_id, user_name }: AuditRecord): string {
  if (actor === "system") return "Command line or service";
  return user_name ?? (user_id === null ? "Someone" : `Person ${user_id}`);
}

/** What else was recorded, in one line: `role: member · scopes: runs:read, runs:write`. */
function detailsText(details: AuditRecord["details"]): string {
  return Object.entries(details)
    .filter(([name, value]) => value !== null && name !== "agent_run_id")
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${valueText(value)}`)
    .join(" · ");
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
