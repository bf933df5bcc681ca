"use client";

import { useMemo } from "react";
import { LazyCode } from "#components/text/lazy-code.tsx";
import { TextLines } from "#components/text/text-lines.ts";
import { FoldedCode } from "./folded-code.tsx";
import { ToolBody } from "./tool-frame.tsx";

type ScriptProps = {
  text: string;
  language: "sh" | "javascript" | "python";
  /** Identifies the part, so that it stays open if the reader opened it. */
  openKey: string;
};

/** A command of several lines, or a program, highlighted. */
export function Script({ text, language, openKey }: ScriptProps) {
  const lines = useMemo(() => new TextLines(text), [text]);
  return (
    <ToolBody label="Script">
      <FoldedCode {...{ lines, openKey }} head={8}>
        {(shown) => <LazyCode text={shown} language={language} />}
      </FoldedCode>
    </ToolBody>
  );
}
