"use client";

import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, memo, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "react";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { isDrawn, isLabel } from "#lib/entry/field-names.ts";
import { hasAnsi, plainTerminalText } from "#lib/entry/terminal-text.ts";
import { FoldedText } from "./fold.tsx";
import type { JsonNode, JsonRow } from "./json-nodes.ts";
import { firstLineOf, JsonNodes, pathOfNode } from "./json-nodes.ts";
import { useCurrentMatch } from "./marks/current-match.tsx";
import { holds } from "./marks/find-text.ts";
import { VisibleText } from "./visible-text.tsx";

/** Deeper values are not indented any further, or they would leave the page. */
const indentMax = 24;

export type JsonTreeProps = {
  value: unknown;
  /** The accessible name of the tree. */
  label: string;
  /** Its strings are what a program printed: shown as a terminal would finally show them, without colors. */
  isPrinted?: boolean;
};

/** The tree itself, loaded by json-tree.tsx on demand. */
export const JsonTreeView = memo(function JsonTreeView({ value, label, isPrinted = false }: JsonTreeProps) {
  const tree = useMemo(
    () => (isPrinted ? new JsonNodes(value, printedText) : new JsonNodes(value)),
    [value, isPrinted],
  );
  const [, changed] = useReducer((count: number) => count + 1, 0);
  const [activeId, setActiveId] = useState<string | null>(null);
  const container = useRef<HTMLDivElement>(null);
  const hasKeyboard = useRef(false);
  const needle = useCurrentMatch()?.needle ?? null;
  useLayoutEffect(() => {
    if (needle !== null && tree.reveal((text) => holds(text, needle))) changed();
  }, [tree, needle]);
  const rows = tree.rows();
  const active = Math.max(
    0,
    rows.findIndex((row) => idOf(row) === activeId),
  );

  useEffect(() => {
    if (!hasKeyboard.current || activeId === null) return;
    hasKeyboard.current = false;
    container.current?.querySelector<HTMLElement>(`[data-row="${activeId}"]`)?.focus();
  }, [activeId]);

  const chosen = rows.find((row) => idOf(row) === activeId);
  const go = (row: JsonRow | undefined) => {
    if (row === undefined) return;
    hasKeyboard.current = true;
    setActiveId(idOf(row));
  };
  const act = (row: JsonRow) => {
    if (row.kind === "more") tree.showMore(row.node);
    else tree.setOpen(row.node, !row.node.isOpen);
    setActiveId(idOf(row));
    changed();
  };
  const onKeyDown = (event: KeyboardEvent, row: JsonRow) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = stepOf(event.key, row, rows, active, tree);
    if (step === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (step === "toggle") act(row);
    else go(step);
  };

  const shown = (
    <div ref={container} role="tree" aria-label={label} className="min-w-0 py-1 font-mono text-[13px] leading-5">
      {rows.map((row, place) => (
        <div key={idOf(row)} role="none">
          <button
            type="button"
            role="treeitem"
            data-row={idOf(row)}
            tabIndex={place === active ? 0 : -1}
            aria-level={row.kind === "more" ? row.node.depth + 2 : row.node.depth + 1}
            aria-expanded={row.kind === "node" && tree.isFoldable(row.node) ? row.node.isOpen : undefined}
            aria-selected={place === active}
            title={row.kind === "node" ? undefined : pathOfNode(row.node)}
            className="flex w-full items-start gap-1 rounded-sm pr-2 text-left [overflow-wrap:anywhere] hover:bg-accent focus-visible:-outline-offset-2"
            style={{ paddingLeft: indentOf(row) }}
            onClick={() => act(row)}
            onKeyDown={(event) => onKeyDown(event, row)}
          >
            {row.kind === "more" ? (
              <span className="pl-5 text-link">
                Show {Math.min(100, row.hidden)} of {row.hidden.toLocaleString("en-US")} more
              </span>
            ) : (
              <NodeLine node={row.node} isFoldable={tree.isFoldable(row.node)} />
            )}
          </button>
          {row.kind === "node" && row.node.kind === "string" && row.node.isOpen && (
            <div className="my-1 rounded-md bg-code py-1" style={{ marginLeft: indentOf(row) + 20 }}>
              <FoldedText text={String(row.node.value)} head={40} />
            </div>
          )}
        </div>
      ))}
    </div>
  );
  return (
    <>
      {shown}
      {chosen !== undefined && <PathLine path={pathOfNode(chosen.node)} />}
    </>
  );
});

function printedText(text: string): string {
  return hasAnsi(text) ? plainTerminalText(text) : text;
}

/** Path of the selected value, for copying; visible as long as any of the tree is. */
function PathLine({ path }: { path: string }) {
  return (
    <div className="sticky bottom-0 flex min-w-0 items-center gap-2 border-border border-t bg-code pr-1.5 pl-3 font-mono text-muted-foreground text-xs">
      <span className="min-w-0 flex-1 truncate" title={path}>
        <VisibleText text={path} />
      </span>
      <CopyButton text={path} label="Copy path" className="size-7" />
    </div>
  );
}

function NodeLine({ node, isFoldable }: { node: JsonNode; isFoldable: boolean }) {
  // A name that is a label, and a position, are not part of the entry's text.
  const isNamed = typeof node.key === "string" && !isLabel(node.key);
  return (
    <>
      <ChevronRight
        aria-hidden="true"
        className={`mt-0.5 size-4 shrink-0 text-muted-foreground ${isFoldable ? "" : "invisible"} ${node.isOpen ? "rotate-90" : ""}`}
      />
      <span className="min-w-0">
        {node.key !== null && (
          <>
            <span
              className={typeof node.key === "number" ? "text-muted-foreground" : "text-link"}
              data-label={isNamed ? undefined : ""}
            >
              <VisibleText text={String(node.key)} />
            </span>
            <span className="text-muted-foreground">: </span>
          </>
        )}
        <span data-label={typeof node.key === "string" && isDrawn(node.key, node.value) ? "" : undefined}>
          <JsonValue node={node} />
        </span>
        {node.depth >= indentMax && (
          <span data-label="" className="text-muted-foreground text-xs">
            {" "}
            depth {node.depth}
          </span>
        )}
      </span>
    </>
  );
}

function JsonValue({ node }: { node: JsonNode }) {
  const size = node.size.toLocaleString("en-US");
  switch (node.kind) {
    case "object":
      return (
        <span data-label="" className="text-muted-foreground">
          {node.size === 0 ? "{}" : `{ ${size} ${node.size === 1 ? "key" : "keys"} }`}
        </span>
      );
    case "array":
      return (
        <span data-label="" className="text-muted-foreground">
          {node.size === 0 ? "[]" : `[ ${size} ${node.size === 1 ? "item" : "items"} ]`}
        </span>
      );
    case "string":
      return <StringValue text={String(node.value)} />;
    case "number":
    case "boolean":
      return <span className="text-status-running">{String(node.value)}</span>;
    case "null":
      return <span className="text-muted-foreground">null</span>;
  }
}

function StringValue({ text }: { text: string }) {
  const line = firstLineOf(text);
  return (
    <span className="text-status-completed">
      "<VisibleText text={line} />
      {line.length < text.length ? (
        <span data-label="" className="text-muted-foreground">
          … {text.length.toLocaleString("en-US")} characters
        </span>
      ) : (
        '"'
      )}
    </span>
  );
}

/** Effect of a key: another row, a toggle of this one, or null for keys that do not belong to the tree. */
function stepOf(
  key: string,
  row: JsonRow,
  rows: readonly JsonRow[],
  active: number,
  tree: JsonNodes,
): JsonRow | "toggle" | null {
  const parent = row.kind === "more" ? row.node : row.node.parent;
  const isFoldable = row.kind === "node" && tree.isFoldable(row.node);
  switch (key) {
    case "ArrowDown":
      return rows[active + 1] ?? row;
    case "ArrowUp":
      return rows[active - 1] ?? row;
    case "Home":
      return rows[0] ?? row;
    case "End":
      return rows.at(-1) ?? row;
    case "ArrowRight":
      if (row.kind === "more" || !isFoldable) return row;
      return row.node.isOpen ? (rows[active + 1] ?? row) : "toggle";
    case "ArrowLeft":
      if (isFoldable && row.node.isOpen) return "toggle";
      return rows.find((other) => other.kind === "node" && other.node === parent) ?? row;
    default:
      return null;
  }
}

function idOf(row: JsonRow): string {
  return `${row.node.id}${row.kind === "more" ? "+" : ""}`;
}

function indentOf(row: JsonRow): number {
  return 4 + 14 * Math.min(indentMax, row.kind === "more" ? row.node.depth + 1 : row.node.depth);
}
