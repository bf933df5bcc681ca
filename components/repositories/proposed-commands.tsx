import { Check, CircleDashed, X } from "lucide-react";
import type { Repository } from "#lib/contract/repositories/repository.ts";
import type { Proposal, ProposedCommand } from "#lib/contract/repositories/setup.ts";
import { evidenceHref } from "./evidence-href.ts";

const outcomes = {
  worked: { label: "Worked", icon: Check, color: "text-status-completed" },
  failed: { label: "Failed", icon: X, color: "text-status-failed" },
  not_tried: { label: "Not tried", icon: CircleDashed, color: "text-muted-foreground" },
} as const;

/** Commands of a proposal, each with its result and the lines that name it, and what could not be proposed. */
export function ProposedCommands({ repository, proposal }: { repository: Repository; proposal: Proposal }) {
  return (
    <>
      {proposal.commands.length > 0 && (
        <ul className="grid gap-2">
          {proposal.commands.map((command) => (
            <Proposed
              key={`${command.kind} ${command.command}`}
              {...{ command }}
              source={repository.source}
              commit={proposal.commit}
            />
          ))}
        </ul>
      )}
      {proposal.left_out.length > 0 && (
        <div className="grid gap-1 text-[13px]">
          <p className="font-medium">Not proposed</p>
          <ul className="grid list-disc gap-0.5 pl-5 text-muted-foreground">
            {proposal.left_out.map((sentence) => (
              <li key={sentence} className="break-words">
                {sentence}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Proposed({
  command: { kind, command, outcome, note, duration_ms, evidence },
  source,
  commit,
}: {
  command: ProposedCommand;
  source: string;
  commit: string | null;
}) {
  const { label, icon: Icon, color } = outcomes[outcome];
  const took = duration_ms === null ? "" : ` in ${duration_ms < 100 ? "under 0.1" : (duration_ms / 1000).toFixed(1)} s`;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-sm">
      <Icon aria-hidden className={`mt-0.5 size-4 ${color}`} />
      <div className="grid min-w-0 gap-0.5">
        <code className="whitespace-pre-wrap break-words">{command}</code>
        <span className="text-[13px] text-muted-foreground">
          {kind} · {label}
          {outcome === "not_tried" ? "" : took}
          {note !== null && `: ${note}`}
          {evidence.map(({ path, line }) => {
            const place = `${path}:${line}`;
            const href = evidenceHref(source, commit, path, line);
            return (
              <span key={place} className="break-all">
                {" · "}
                {href === null ? (
                  <code>{place}</code>
                ) : (
                  <a
                    href={href}
                    target="_blank"
                    rel="noreferrer"
                    className="text-link underline underline-offset-4 hover:no-underline"
                  >
                    {place}
                  </a>
                )}
              </span>
            );
          })}
        </span>
      </div>
    </li>
  );
}
