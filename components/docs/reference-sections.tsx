import { findRunStatusLook } from "#components/runs/run-status-look.ts";
import { errorTable } from "#lib/contract/error.ts";
import { MessageType } from "#lib/contract/logs/entry.ts";
import { Role } from "#lib/contract/people/organization.ts";
import { isAtLeast, scopes, scopesOf } from "#lib/contract/people/role-scopes.ts";
import { runActWords } from "#lib/contract/runs/run-act-words.ts";
import { type RunAct, runActs } from "#lib/contract/runs/run-acts.ts";
import { isEnd, referenceStatus, runStatuses, transitions } from "#lib/contract/runs/run-status.ts";
import { ReferenceTable } from "./fields-table.tsx";
import { requiredFields } from "./required-fields.ts";

/** Every status of a run, its possible successors, and its name for older clients. */
export function StatusTable() {
  return (
    <ReferenceTable caption="Statuses" head={["Status", "Meaning", "May become", "Reference service"]}>
      {runStatuses.map((status) => (
        <tr key={status}>
          <td>
            <code>{status}</code>
          </td>
          <td>{findRunStatusLook(status).meaning}</td>
          <td>
            {isEnd(status) ? "queued, by resume; evaluating, for its pull request" : transitions[status].join(", ")}
          </td>
          <td>
            <code>{referenceStatus[status]}</code>
          </td>
        </tr>
      ))}
    </ReferenceTable>
  );
}

/** Every type of log entry, and which of its fields are never null. */
export function MessageTypeTable() {
  return (
    <ReferenceTable caption="Message types" head={["message_type", "Never null"]}>
      {MessageType.options.map((type) => (
        <tr key={type}>
          <td>
            <code className="break-all">{type}</code>
          </td>
          <td>{requiredFields(type).join(", ") || "–"}</td>
        </tr>
      ))}
    </ReferenceTable>
  );
}

const events = [
  { name: "entry", id: "seq", data: "A log entry, in order, never repeated, never skipped" },
  { name: "run", id: "–", data: "The run, whenever it changes" },
  {
    name: "progress",
    id: "–",
    data: "Work in progress: the text so far, the running tools with the end of their output",
  },
  {
    name: "end",
    id: "end-12: end- and the last seq",
    data: "The run as it ended, after everything else has been sent",
  },
];

/** The events of the live stream. */
export function EventTable() {
  return (
    <ReferenceTable caption="Stream events" head={["event", "id", "data"]}>
      {events.map(({ name, id, data }) => (
        <tr key={name}>
          <td>
            <code>{name}</code>
          </td>
          <td>{id}</td>
          <td>{data}</td>
        </tr>
      ))}
    </ReferenceTable>
  );
}

/** Every error code with its status. */
export function ErrorTable() {
  return (
    <ReferenceTable caption="Errors" head={["Status", "code", "Meaning"]}>
      {Object.entries(errorTable).map(([code, { status, title }]) => (
        <tr key={code} id={`error-${code}`} className="scroll-mt-16 target:bg-accent">
          <td>{status}</td>
          <td>
            <code>{code}</code>
          </td>
          <td>{title}</td>
        </tr>
      ))}
    </ReferenceTable>
  );
}

/** Table of permissions for acts on one's own and other people's runs. */
export function RunActTable() {
  return (
    <ReferenceTable caption="Who may do what to whose run" head={["Action", "Your own", "Someone else's", "Scope"]}>
      {Object.entries(runActs).map(([act, { own, others, scope }]) => (
        <tr key={act}>
          <td>{runActWords[act as RunAct]}</td>
          <td>{rolesFrom(own)}</td>
          <td>{rolesFrom(others)}</td>
          <td>
            <code>{scope}</code>
          </td>
        </tr>
      ))}
    </ReferenceTable>
  );
}

function rolesFrom(least: Role): string {
  return Role.options.filter((role) => isAtLeast(role, least)).join(", ");
}

/** Which role may do what. */
export function ScopeTable() {
  return (
    <ReferenceTable caption="Roles and scopes" head={["Scope", "Roles that have it"]}>
      {scopes.map((scope) => (
        <tr key={scope}>
          <td>
            <code>{scope}</code>
          </td>
          <td>{Role.options.filter((role) => scopesOf(role).includes(scope)).join(", ")}</td>
        </tr>
      ))}
    </ReferenceTable>
  );
}
