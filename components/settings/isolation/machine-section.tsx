import { ShieldAlert, ShieldCheck } from "lucide-react";
import { CommandLine } from "#components/page/command-line.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { MachineIsolation } from "#lib/contract/runs/isolation.ts";
import { machineWords } from "#lib/contract/runs/isolation-words.ts";

/** Whether the wall works on the agents' machine; if it does not, the reason and the command that fixes it. */
export function MachineState({ machine }: { machine: MachineIsolation | null }) {
  if (machine === null) {
    return <p className="text-muted-foreground text-sm">Not checked yet. The engine checks when it starts.</p>;
  }
  const { title, detail, why, command, advice, hint } = machineWords(machine);
  const Icon = machine.holds ? ShieldCheck : ShieldAlert;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 gap-y-1 text-sm">
      <Icon
        aria-hidden
        className={cn("mt-0.5 size-4", machine.holds ? "text-status-completed" : "text-status-waiting")}
      />
      <p className="font-medium">{title}</p>
      <div className="col-start-2 grid gap-2">
        {why !== null && <p className="[overflow-wrap:anywhere]">{why}</p>}
        {command !== null && (
          <div className="grid gap-1">
            <p className="text-muted-foreground">To fix this, run this command on the machine:</p>
            <CommandLine command={command} label="Copy the command that fixes this" />
          </div>
        )}
        {advice !== null && <p className="[overflow-wrap:anywhere]">{advice}</p>}
        <p className="text-pretty text-muted-foreground">{detail}</p>
        {hint !== null && <p className="text-pretty text-muted-foreground">{hint}</p>}
        <p className="text-[13px] text-muted-foreground">
          Checked <RelativeTime at={machine.checked_at} />, just as a run would use it.
        </p>
      </div>
    </div>
  );
}
