"use client";

import { type ComponentType, lazy, Suspense } from "react";
import { type MarkdownProps, PlainText } from "./plain-text.tsx";

const RichMarkdown = lazy(async (): Promise<{ default: ComponentType<MarkdownProps> }> => {
  await pageLoaded();
  try {
    return { default: (await import("./rich-markdown.tsx")).RichMarkdown };
  } catch {
    // Where it cannot be fetched, the text is shown as it was written.
    return { default: PlainText };
  }
});

/** Untrusted markdown as React elements: no HTML, no remote image, no link but http, https and mailto. Headings begin at h3. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<PlainText {...props} />}>
      <RichMarkdown {...props} />
    </Suspense>
  );
}

/** The texts of a new page came with it, read on the server: the parser is not to compete with what makes the page usable. */
function pageLoaded(): Promise<void> {
  if (typeof document === "undefined" || document.readyState === "complete") return Promise.resolve();
  return new Promise((resolve) => window.addEventListener("load", () => setTimeout(resolve), { once: true }));
}
