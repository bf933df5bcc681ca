"use client";

import { createContext, memo, type ReactNode, useContext, useMemo } from "react";
import { CodeBlock } from "./code-block.tsx";
import type { MarkdownNode, MarkdownTag } from "./markdown-nodes.ts";
import { deceptiveHost, parseMarkdown, textOf } from "./markdown-nodes.ts";
import { kerningOf, type MarkdownProps, PlainText } from "./plain-text.tsx";
import { VisibleText } from "./visible-text.tsx";

/**
 * Untrusted markdown as React elements. No HTML, no remote images, and no links except http, https and mailto. Headings skip
 * no level, whatever the text does; how they look follows the text.
 */
export const Markdown = memo(function Markdown({
  text,
  className = "",
  isTitled = false,
  isPrompt = false,
}: MarkdownProps & {
  /** Whether an agent gets it as a prompt: then it is read as the built-in agent reads it. */
  isPrompt?: boolean;
  /** Whether the text has a title on the page, an h2: its own headings then begin at h3. */
  isTitled?: boolean;
}) {
  const nodes = useMemo(() => parseMarkdown(text, isPrompt), [text, isPrompt]);
  if (nodes === null) return <PlainText text={text} className={className} />;
  return (
    <div className={`flex min-w-0 flex-col gap-3 [overflow-wrap:anywhere] ${kerningOf(text)} ${className}`}>
      <TitledContext value={isTitled}>{shown(nodes)}</TitledContext>
    </div>
  );
});

const TitledContext = createContext(false);

function shown(nodes: readonly MarkdownNode[]): ReactNode[] {
  return nodes.map((node) => <Node key={node.id} node={node} />);
}

function Node({ node }: { node: MarkdownNode }): ReactNode {
  switch (node.kind) {
    case "text":
      return <VisibleText text={node.text} />;
    case "break":
      return <br />;
    case "rule":
      return <hr className="border-border" />;
    case "code":
      return (
        <code className="rounded-sm bg-muted px-1 py-px font-mono text-[0.9em]">
          <VisibleText text={node.text} />
        </code>
      );
    case "fence":
      return <CodeBlock text={node.text} language={node.language} path={node.path} />;
    case "image":
      return (
        <LinkedText href={node.href} target={node.target}>
          [image: <VisibleText text={node.alt || node.target} />]
        </LinkedText>
      );
    case "link": {
      const host = node.href === null ? null : deceptiveHost(textOf(node.children), node.href);
      return (
        <LinkedText href={node.href} target={node.target}>
          {shown(node.children)}
          {host !== null && ` (${host})`}
        </LinkedText>
      );
    }
    case "element":
      return <MarkdownElement node={node} />;
  }
}

/** If the target may not be followed, it is still shown. */
function LinkedText({ href, target, children }: { href: string | null; target: string; children: ReactNode }) {
  if (href === null) {
    return (
      <span className="underline decoration-dotted underline-offset-2" title={target}>
        {children}
      </span>
    );
  }
  return (
    <a
      className="text-link underline underline-offset-2"
      href={href}
      title={target}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      {children}
    </a>
  );
}

const headingTags = ["h2", "h3", "h4", "h5", "h6"] as const;

const looks: Partial<Record<MarkdownTag, string>> = {
  h1: "mt-2 font-semibold text-lg leading-6",
  h2: "mt-2 font-semibold text-base leading-6",
  h3: "mt-1 font-semibold",
  h4: "font-semibold",
  h5: "font-medium",
  h6: "font-medium text-muted-foreground",
  blockquote: "flex flex-col gap-3 border-border border-l-2 pl-3 text-muted-foreground",
  ul: "flex list-disc flex-col gap-1 [padding-inline-start:20px]",
  ol: "flex list-decimal flex-col gap-1 [padding-inline-start:28px] tabular-nums",
  strong: "font-semibold",
  thead: "border-border border-b",
  tr: "border-border border-b last:border-b-0",
  th: "px-2 py-1 text-start font-medium",
  td: "px-2 py-1 align-top",
};

/** Text direction follows the block's own words, whatever surrounds it. */
const ownDirection: ReadonlySet<MarkdownTag> = new Set(["p", "ul", "th", "td"]);

function MarkdownElement({ node }: { node: Extract<MarkdownNode, { kind: "element" }> }) {
  const isTitled = useContext(TitledContext);
  const children = shown(node.children);
  switch (node.tag) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6": {
      const Tag = headingTags[(node.level ?? 1) - (isTitled ? 0 : 1)] ?? "h6";
      return (
        <Tag dir="auto" className={looks[node.tag]}>
          {children}
        </Tag>
      );
    }
    case "ol":
      return (
        <ol dir="auto" className={looks.ol} start={node.start ?? undefined}>
          {children}
        </ol>
      );
    case "li":
      return <ListItem isDone={node.isDone}>{children}</ListItem>;
    case "table":
      return (
        <div className="overflow-x-auto rounded-md border border-border [overflow-wrap:normal]">
          <table className="w-full border-collapse text-[13px]">{children}</table>
        </div>
      );
    default: {
      const Tag = node.tag;
      const style = node.align === null ? undefined : { textAlign: node.align };
      return (
        <Tag dir={ownDirection.has(node.tag) ? "auto" : undefined} className={looks[node.tag]} style={style}>
          {children}
        </Tag>
      );
    }
  }
}

function ListItem({ isDone, children }: { isDone: boolean | null; children: ReactNode }) {
  if (isDone === null) return <li className="[&>ol]:mt-1 [&>p+*]:mt-2 [&>ul]:mt-1">{children}</li>;
  return (
    <li className="[margin-inline-start:-20px] flex list-none items-start gap-2">
      <input type="checkbox" className="mt-1" checked={isDone} disabled aria-label={isDone ? "done" : "open"} />
      <div className="min-w-0">{children}</div>
    </li>
  );
}
