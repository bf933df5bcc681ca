"use client";

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from "react";
import { isComposing } from "#components/keys/composing.ts";
import { formatCount } from "#components/shell/format-number.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { filterTextMax, type TraceFilter, toolsMax } from "#components/trace/reader/trace-filter.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Input } from "#components/ui/input.tsx";
import { Popover, PopoverAnchor, PopoverContent } from "#components/ui/popover.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { logToolsQuery } from "#lib/client/pages/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import { messageTypes } from "#lib/contract/words.ts";
import { messageTypeLabel } from "#lib/entry/labels.ts";

type FilterMenuProps = {
  source: TraceSource;
  filter: TraceFilter;
  onFilter: (filter: TraceFilter) => void;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Anchor of the menu; it gets the focus when the menu closes. */
  button: RefObject<HTMLButtonElement | null>;
};

/** Filter of the steps: text, errors, types and tools. Every choice takes effect at once. */
export function FilterMenu({ source, filter, onFilter, isOpen, onOpenChange, button }: FilterMenuProps) {
  return (
    <Popover open={isOpen} onOpenChange={onOpenChange}>
      <PopoverAnchor virtualRef={button as RefObject<HTMLButtonElement>} />
      <PopoverContent
        aria-label="Filter the steps"
        className="grid w-80 gap-3"
        onInteractOutside={(event) => {
          // The button closes the menu by itself.
          if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          button.current?.focus();
        }}
      >
        <TextPart filter={filter} onFilter={onFilter} />
        <Choice
          isChosen={filter.isErrors}
          onChange={(isErrors) => onFilter({ ...filter, isErrors })}
          label="Errors only"
        />
        <Part title="Types">
          {messageTypes.map((type) => (
            <Choice
              key={type}
              isChosen={filter.types.includes(type)}
              onChange={(isChosen) => onFilter({ ...filter, types: withOne(filter.types, type, isChosen) })}
              label={messageTypeLabel(type)}
            />
          ))}
        </Part>
        <ToolsPart source={source} filter={filter} onFilter={onFilter} />
      </PopoverContent>
    </Popover>
  );
}

type PartProps = Pick<FilterMenuProps, "filter" | "onFilter">;

/** Enter applies the text: not every letter should start a search through a long run. */
function TextPart({ filter, onFilter }: PartProps) {
  const [text, setText] = useState(filter.text);
  const [seen, setSeen] = useState(filter.text);
  if (filter.text !== seen) {
    setSeen(filter.text);
    setText(filter.text);
  }
  const take = (taken: string) => {
    if (taken !== filter.text) onFilter({ ...filter, text: taken.trim() === "" ? "" : taken });
  };
  return (
    <Input
      type="search"
      aria-label="Text in the step"
      placeholder="Text in the step, then Enter"
      maxLength={filterTextMax}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        if (target.value === "") take("");
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Enter" && !isComposing(event.nativeEvent)) take(text);
      }}
    />
  );
}

function ToolsPart({ source, filter, onFilter }: PartProps & { source: TraceSource }) {
  const { data, error } = useQuery(logToolsQuery(source));
  const items = data?.items ?? [];
  // A chosen filter can always be removed, wherever the link came from.
  const others = filter.tools.filter((tool) => items.every(({ tool_name }) => tool_name !== tool));
  const shown = [...others.map((tool_name) => ({ tool_name, count: null })), ...items];
  if (error !== null) return <p className="text-[13px] text-muted-foreground">{describeError(error).detail}</p>;
  if (shown.length === 0) return null;
  const isFull = filter.tools.length >= toolsMax;
  return (
    <Part title={isFull ? `Tools (${toolsMax} at most)` : "Tools"}>
      {shown.map(({ tool_name: tool, count }) => (
        <Choice
          key={tool}
          isChosen={filter.tools.includes(tool)}
          isDisabled={isFull && !filter.tools.includes(tool)}
          onChange={(isChosen) => onFilter({ ...filter, tools: withOne(filter.tools, tool, isChosen) })}
          label={tool}
          count={count}
        />
      ))}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset aria-labelledby={id} className="grid min-w-0 gap-0.5">
      <legend id={id} className="mb-1 text-muted-foreground text-xs">
        {title}
      </legend>
      <div className="grid max-h-44 gap-0.5 overflow-y-auto overscroll-contain">{children}</div>
    </fieldset>
  );
}

type ChoiceProps = {
  isChosen: boolean;
  isDisabled?: boolean;
  onChange: (isChosen: boolean) => void;
  label: string;
  count?: number | null;
};

function Choice({ isChosen, isDisabled = false, onChange, label, count = null }: ChoiceProps) {
  const id = useId();
  return (
    <div className="flex min-h-7 items-center gap-2 rounded-sm px-1 text-[13px] hover:bg-accent pointer-coarse:min-h-10">
      <Checkbox id={id} checked={isChosen} disabled={isDisabled} onCheckedChange={(next) => onChange(next === true)} />
      <label htmlFor={id} className="flex min-w-0 flex-1 items-center justify-between gap-2 py-1">
        <span className="min-w-0 truncate">
          <VisibleText text={label} />
        </span>
        {count !== null && <span className="text-muted-foreground text-xs tabular-nums">{formatCount(count)}</span>}
      </label>
    </div>
  );
}

function withOne<T>(list: readonly T[], one: T, isIn: boolean): T[] {
  const others = list.filter((other) => other !== one);
  return isIn ? [...others, one] : others;
}
