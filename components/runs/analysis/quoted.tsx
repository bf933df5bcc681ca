import { Fragment } from "react";
import { VisibleText } from "#components/text/visible-text.tsx";
import { cn } from "#components/ui/class-names.ts";

/** Words from the log: a command, a path, a message. */
export function Quoted({ text, className }: { text: string; className?: string }) {
  return (
    <code className={cn("font-mono text-[13px] [overflow-wrap:anywhere]", className)}>
      <VisibleText text={text} />
    </code>
  );
}

/** A message from the log: with `code` between backticks it is a sentence, otherwise it is shown as printed. */
export function QuotedMessage({ text, className }: { text: string; className?: string }) {
  const codes = [...text.matchAll(/`([^`\n]+)`/g)];
  if (codes.length === 0) return <Quoted text={text} className={className} />;
  const end = codes.reduce((last, code) => Math.max(last, code.index + code[0].length), 0);
  return (
    <span className={cn("text-[13px] [overflow-wrap:anywhere]", className)}>
      {codes.map((code, place) => {
        const before = codes[place - 1];
        return (
          <Fragment key={code.index}>
            <VisibleText text={text.slice(before === undefined ? 0 : before.index + before[0].length, code.index)} />
            <Quoted text={code[1] ?? ""} />
          </Fragment>
        );
      })}
      <VisibleText text={text.slice(end)} />
    </span>
  );
}
