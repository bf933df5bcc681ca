import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./class-names.ts";

type DisclosureProps = {
  isOpen: boolean;
  /** What it opens: `Details`. */
  label: ReactNode;
  onChange: (isOpen: boolean) => void;
  /** The id of what it opens, if it stays on the page or is there now. */
  controls?: string | undefined;
  className?: string;
};

/** The button that opens a part of a card and folds it again. */
export function Disclosure({ isOpen, label, onChange, controls, className }: DisclosureProps) {
  return (
    <Button
      variant="ghost"
      size="sm"
      className={cn("text-muted-foreground", className)}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={() => onChange(!isOpen)}
    >
      <ChevronRight aria-hidden className={cn(isOpen && "rotate-90")} />
      {label}
    </Button>
  );
}
