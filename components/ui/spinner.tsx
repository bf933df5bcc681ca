import { LoaderCircle } from "lucide-react";
import { cn } from "./class-names.ts";

/** Shows that something is loading. With a label it is announced; without one, the text beside it must say so. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const icon = <LoaderCircle aria-hidden className={cn("size-4 shrink-0 animate-spin", className)} />;
  if (label === undefined) return icon;
  return (
    <span role="status" className="inline-flex">
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  );
}
