"use client";

import { lazy, Suspense } from "react";
import { FoldedText } from "./fold.tsx";

const CodeBlock = lazy(async () => ({ default: (await import("./code-block.tsx")).CodeBlock }));

/** Longer code is shown as text, in pages. */
const highlightedMax = 100_000;

/** Code that is highlighted once the highlighter has loaded. */
export function LazyCode({ text, language }: { text: string; language: string }) {
  const plain = <FoldedText text={text} isOpen head={10_000} className="py-2" />;
  if (text.length > highlightedMax) return plain;
  return (
    <Suspense fallback={plain}>
      <CodeBlock text={text} language={language} bare />
    </Suspense>
  );
}
