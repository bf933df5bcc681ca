import { cn } from "#components/ui/class-names.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";

type CommandLineProps = {
  /** One line or several. */
  command: string;
  /** What is copied where it differs from what is shown. */
  copied?: string;
  label?: string;
  className?: string;
};

/** Something to type into a terminal, with a button that copies it. */
export function CommandLine({ command, copied = command, label = "Copy command", className }: CommandLineProps) {
  return (
    <div className={cn("flex min-w-0 items-start rounded-md border border-border bg-code text-left", className)}>
      <pre className="min-w-0 flex-1 whitespace-pre-wrap break-words px-3 py-1.5 text-foreground">
        <code>{command}</code>
      </pre>
      <CopyButton text={copied} label={label} className="m-0.5 shrink-0" />
    </div>
  );
}
