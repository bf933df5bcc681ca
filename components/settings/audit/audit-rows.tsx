import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { nameOf } from "#components/people/name-of.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { cn } from "#components/ui/class-names.ts";
import { peopleQuery } from "#lib/client/pages/people-queries.ts";
import type { AuditRecord } from "#lib/contract/people/audit.ts";
import { auditActs } from "#lib/contract/people/audit-acts.ts";
import { auditDetails } from "./audit-details.ts";

const columns =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-2 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)_96px]";

/** One line per record, newest first. */
export function AuditRows({ orgId, records }: { orgId: number; records: AuditRecord[] }) {
  const people = useQuery(peopleQuery(orgId)).data?.items ?? [];
  const personName = (userId: number) => {
    const person = people.find(({ id }) => id === userId);
    return person === undefined ? `Person ${userId}` : nameOf(person);
  };
  return (
    <div>
      <div aria-hidden className={cn(columns, "hidden h-8 items-center text-muted-foreground text-xs md:grid")}>
        <span>What</span>
        <span>Who</span>
        <span>IP address</span>
        <span className="text-right">When</span>
      </div>
      <ul aria-label="Records" className="border-border border-t">
        {records.map((record) => (
          <AuditRow key={record.id} record={record} personName={personName} />
        ))}
      </ul>
    </div>
  );
}

type AuditRowProps = { record: AuditRecord; personName: (userId: number) => string };

function AuditRow({ record, personName }: AuditRowProps) {
  const details = auditDetails(record.details, personName).join(" · ");
  return (
    <li className={cn(columns, "gap-y-1 border-border border-b py-2")}>
      <span className="min-w-0">
        <span className="block wrap-anywhere">
          <span className="font-medium">{auditActs[record.act] ?? record.act}</span>
          <ObjectName record={record} personName={personName} />
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
      <span className="min-w-0 text-[13px] max-md:col-span-2 max-md:flex max-md:flex-wrap max-md:gap-x-2 md:text-sm">
        <span className="block truncate">{whoText(record)}</span>
        {record.token_id !== null && (
          <span className="block truncate text-[13px] text-muted-foreground">
            by the token {record.token_name ?? `#${record.token_id}`}
          </span>
        )}
      </span>
      <span className="min-w-0 text-[13px] text-muted-foreground max-md:col-span-2 max-md:flex max-md:gap-x-2">
        <span className="block shrink-0 truncate">
          {record.address ?? (record.actor === "system" ? "This machine" : "–")}
        </span>
        {record.user_agent !== null && (
          <span className="block truncate" title={record.user_agent}>
            {record.user_agent}
          </span>
        )}
      </span>
    </li>
  );
}

function ObjectName({ record: { object_type, object_id, object_name }, personName }: AuditRowProps) {
  // If no organization is named, it is the one that the log belongs to.
  if (object_type === null || (object_type === "organization" && object_name === null)) return null;
  const name = object_name ?? unnamed(object_type, object_id, personName);
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

function unnamed(type: string, id: number | null, personName: (userId: number) => string): string {
  if (id === null) return type;
  return type === "user" ? personName(id) : `#${id}`;
}

/** The run the action was about. */
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
  if (actor === "system") return "Command line or Errand";
  return user_name ?? (user_id === null ? "Someone" : `Person ${user_id}`);
}
