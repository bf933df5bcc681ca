"use client";

import { type ReactNode, useMemo } from "react";
import { FoldedText } from "#components/text/fold.tsx";
import { JsonTree } from "#components/text/json-tree.tsx";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import type { ToolResult } from "#lib/entry/result.ts";
import { plainTerminalText, terminalText } from "#lib/entry/terminal-text.ts";
import { SearchedBody } from "./searched-body.tsx";
import { ToolBody } from "./tool-frame.tsx";

type ToolOutputProps = {
  seq: number;
  result: ToolResult;
  /** Above a single text or tree. */
  label?: string | undefined;
  /** Lines shown while the text is folded. */
  head?: number;
  tail?: number;
  action?: ReactNode;
};

/** Output of a tool: a JSON value as a tree, output and error output separately, or a text. Shows nothing if there is none. */
export function ToolOutput({ seq, result, label, head = 8, tail = 0, action }: ToolOutputProps) {
  const { json, stdout, stderr, output } = result;
  const shared = { seq, head, tail };
  if (json !== null) {
    return (
      <ToolBody label={label} action={action}>
        <JsonTree isPrinted value={json.value} label={label ?? "Result"} />
      </ToolBody>
    );
  }
  if (stderr !== null && stderr.trim() !== "") {
    return (
      <>
        {stdout !== null && <Output {...shared} part="stdout" text={stdout} label="Output" action={action} />}
        <Output {...shared} part="stderr" text={stderr} label="Error output" action={stdout === null && action} />
      </>
    );
  }
  return <Output {...shared} part="output" text={output ?? ""} label={label} action={action} />;
}

type OutputProps = Pick<ToolOutputProps, "seq" | "label" | "head" | "tail" | "action"> & { part: string; text: string };

function Output({ seq, part, text, label, head, tail, action }: OutputProps) {
  const [isOpen, setOpen] = useStoredOpen(`${seq}.${part}`);
  // What a terminal shows at the end; the search in it does not see its colors.
  const shown = useMemo(() => terminalText(text).replace(/\n+$/, ""), [text]);
  const plain = useMemo(() => plainTerminalText(shown), [shown]);
  if (plain.trim() === "") return null;
  return (
    <SearchedBody seq={seq} text={plain} label={label} action={action}>
      <FoldedText
        text={shown}
        ansi
        {...(head === undefined ? {} : { head })}
        {...(tail === undefined ? {} : { tail })}
        isOpen={isOpen}
        onOpenChange={setOpen}
        className={label === undefined ? "py-2" : "py-1.5"}
      />
    </SearchedBody>
  );
}
