import { cn } from "#components/ui/class-names.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";

type CommandLineProps = {
  /** One line or several. */
  command: string;
  /** Text to copy, if it differs from the text shown. */
  copied?: string;
  label?: string;
  className?: string;
};

/** A command for a terminal, with a copy button. */
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
