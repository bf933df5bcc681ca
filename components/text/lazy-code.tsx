"use client";

import { Suspense } from "react";
import { lazyPart } from "#components/ui/use-loaded.ts";
import { FoldedText } from "./fold.tsx";

const CodeBlock = lazyPart(async () => (await import("./code-block.tsx")).CodeBlock, PlainCode);

/** Longer code is shown as text, in pages. */
const highlightedMax = 100_000;

/** Code that is highlighted once the highlighter has loaded. */
export function LazyCode({ text, language }: { text: string; language: string }) {
  const plain = <PlainCode text={text} />;
  if (text.length > highlightedMax) return plain;
  return (
    <Suspense fallback={plain}>
      <CodeBlock text={text} language={language} bare />
    </Suspense>
  );
}

function PlainCode({ text }: { text: string }) {
  return <FoldedText text={text} isOpen head={10_000} className="py-2" />;
}
