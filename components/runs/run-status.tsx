import { cn } from "#components/ui/class-names.ts";
import { findRunStatusLook } from "./run-status-look.ts";

type RunStatusProps = {
  status: string;
  /** Only the icon; its word is still there for screen readers and on hover. */
  iconOnly?: boolean;
  className?: string;
};

/** A run's status: icon and word, the same everywhere. */
export function RunStatus({ status, iconOnly = false, className }: RunStatusProps) {
  const { label, meaning, icon: Icon, color } = findRunStatusLook(status);
  const isTurning = status === "running" || status === "evaluating";
  return (
    <span
      title={meaning === "" ? label : `${label}: ${meaning}`}
      className={cn("inline-flex items-center gap-1.5 whitespace-nowrap text-sm", className)}
    >
      <Icon aria-hidden className={cn("size-4 shrink-0", color, isTurning && "animate-turn")} />
      <span className={cn(iconOnly && "sr-only")}>{label}</span>
    </span>
  );
}
