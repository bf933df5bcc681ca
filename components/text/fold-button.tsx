import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";

type FoldButtonProps = {
  isOpen: boolean;
  /** Label while folded: `Show all 30 lines`. */
  label: string;
  onChange: (isOpen: boolean) => void;
  /** Id of the element that it opens. */
  controls?: string;
  className?: string;
};

/** Button that unfolds something long, and folds it again. */
export function FoldButton({ isOpen, label, onChange, controls, className }: FoldButtonProps) {
  return (
    <Button
      variant="ghost"
      size="sm"
      className={cn("m-1 font-sans text-muted-foreground", className)}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={() => onChange(!isOpen)}
    >
      {isOpen ? "Show less" : label}
    </Button>
  );
}
