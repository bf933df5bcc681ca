"use client";

import { Check, ChevronsUpDown } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { isComposing } from "#components/keys/composing.ts";
import { cn } from "./class-names.ts";
import { type ComboboxOption, matchOptions } from "./combobox-matches.ts";
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from "./command.tsx";
import { useFieldControl } from "./field-context.ts";
import { controlClasses } from "./input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "./popover.tsx";
import { Spinner } from "./spinner.tsx";

type ComboboxProps = {
  options: readonly ComboboxOption[];
  /** Null while nothing is chosen. A value outside the options is shown as it is. */
  value: string | null;
  onValueChange: (value: string) => void;
  placeholder?: string;
  searchPlaceholder?: string;
  /** Shown if nothing matches. */
  emptyText?: string;
  /** The options are still being loaded. */
  loading?: boolean;
  /** If present, other text can be chosen too; it labels that option (`Use “main”`). */
  customLabel?: (text: string) => string;
  /** Called with the typed text, so that the caller can load matching options; with "" when the list closes. */
  onSearchChange?: (text: string) => void;
  disabled?: boolean;
  className?: string;
  "aria-label"?: string;
};

/** A choice from a searchable list. What is typed before the opened list has the focus is searched for too. */
export function Combobox({ options, value, onValueChange, disabled = false, className, ...props }: ComboboxProps) {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const [isEntered, setEntered] = useState(false);
  const listId = useId();
  const { required, ...field } = useFieldControl({});
  const chosen = options.find((option) => option.value === value);

  function changeOpen(next: boolean) {
    setOpen(next);
    if (!next) changeSearch("");
  }

  function changeSearch(next: string) {
    setSearch(next);
    setEntered(false);
    props.onSearchChange?.(next);
  }

  function onFieldKeyDown(event: KeyboardEvent) {
    // While it is closed, letters are keys of the page.
    if (!isOpen) return;
    const isText = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isText && !(event.key === "Enter" && search !== "")) return;
    event.preventDefault();
    if (isText) changeSearch(search + event.key);
    else setEntered(true);
  }

  function choose(next: string) {
    onValueChange(next);
    changeOpen(false);
  }

  return (
    <Popover open={isOpen} onOpenChange={changeOpen}>
      <PopoverTrigger asChild>
        <button
          type="button"
          role="combobox"
          aria-label={props["aria-label"]}
          aria-controls={listId}
          aria-expanded={isOpen}
          aria-required={required}
          disabled={disabled}
          onKeyDown={onFieldKeyDown}
          className={cn(controlClasses, "flex h-control items-center gap-2 text-left", className)}
          {...field}
        >
          {chosen?.icon !== undefined && <span className="shrink-0 [&_svg]:size-4">{chosen.icon}</span>}
          <span className={cn("min-w-0 flex-1 truncate", value === null && "text-muted-foreground")}>
            {chosen?.label ?? value ?? props.placeholder ?? "Choose…"}
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        </button>
      </PopoverTrigger>
      <PopoverContent
        id={listId}
        className="flex min-w-(--radix-popover-trigger-width) flex-col overflow-hidden p-0"
        aria-label={props.searchPlaceholder ?? "Choose"}
        onOpenAutoFocus={focusSearch}
      >
        <ComboboxList
          {...{ options, value, search, isEntered }}
          {...props}
          onChoose={choose}
          onSearchChange={changeSearch}
          onEntered={setEntered}
        />
      </PopoverContent>
    </Popover>
  );
}

/** By default all of its text would be selected, and the next letter would replace it. */
function focusSearch(event: Event) {
  event.preventDefault();
  const { currentTarget } = event;
  const input = currentTarget instanceof HTMLElement ? currentTarget.querySelector("input") : null;
  input?.focus();
  input?.setSelectionRange(input.value.length, input.value.length);
}

type ListedProps = "options" | "value" | "searchPlaceholder" | "emptyText" | "loading" | "customLabel";

type ComboboxListProps = Pick<ComboboxProps, ListedProps> & {
  search: string;
  onSearchChange: (search: string) => void;
  /** Enter was pressed before the options arrived. */
  isEntered: boolean;
  onEntered: (isEntered: boolean) => void;
  onChoose: (value: string) => void;
};

function ComboboxList(given: ComboboxListProps) {
  const { options, value, search, isEntered, customLabel, onSearchChange, onEntered, onChoose, ...props } = given;
  /** The item selected since the text last changed. */
  const [reached, setReached] = useState<string | null>(null);
  const text = search.trim();
  const shown = matchOptions(options, text);
  const first = shown.find(({ disabledReason }) => disabledReason === undefined);
  const isCustom = customLabel !== undefined && text !== "" && !options.some((option) => option.label === text);
  const custom = isCustom ? `custom ${text}` : null;
  const items = [...shown.map((option) => itemValue(option.value)), ...(custom === null ? [] : [custom])];
  const start = text === "" && value !== null ? itemValue(value) : null;
  const active =
    [reached, start].find((item) => item !== null && items.includes(item)) ??
    (first === undefined ? custom : itemValue(first.value)) ??
    "";
  const searchPlaceholder = props.searchPlaceholder ?? "Search…";

  function changeSearch(next: string) {
    setReached(null);
    onSearchChange(next);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || !props.loading || text === "" || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    onEntered(true);
  }

  // If Enter was pressed before the options arrived, it takes the first match once they have.
  const isAwaited = isEntered && !props.loading;
  const awaited = isAwaited ? (first?.value ?? (isCustom ? text : null)) : null;
  useEffect(() => {
    if (!isAwaited) return;
    onEntered(false);
    if (awaited !== null) onChoose(awaited);
  }, [isAwaited, awaited, onEntered, onChoose]);

  return (
    <Command
      label={searchPlaceholder}
      loop
      shouldFilter={false}
      value={active}
      onValueChange={setReached}
      onKeyDown={onKeyDown}
    >
      <CommandInput value={search} onValueChange={changeSearch} placeholder={searchPlaceholder} />
      <CommandList label={searchPlaceholder}>
        {props.loading ? (
          <div className="flex items-center gap-2 px-3 py-3 text-muted-foreground text-sm">
            <Spinner label="Loading" /> Loading…
          </div>
        ) : (
          !isCustom && <CommandEmpty>{props.emptyText ?? "Nothing matches"}</CommandEmpty>
        )}
        {groupOptions(shown).map(([heading, members]) => (
          <CommandGroup key={heading} heading={heading || undefined}>
            {members.map((option) => (
              <ComboboxItem key={option.value} option={option} isChosen={option.value === value} onChoose={onChoose} />
            ))}
          </CommandGroup>
        ))}
        {isCustom && (
          <CommandGroup forceMount>
            <CommandItem forceMount value={custom ?? undefined} onSelect={() => onChoose(text)}>
              <span className="size-4 shrink-0" />
              <span className="min-w-0 truncate">{customLabel(text)}</span>
            </CommandItem>
          </CommandGroup>
        )}
      </CommandList>
    </Command>
  );
}

type ComboboxItemProps = { option: ComboboxOption; isChosen: boolean; onChoose: (value: string) => void };

function ComboboxItem({ option, isChosen, onChoose }: ComboboxItemProps) {
  const second = option.disabledReason ?? option.description;
  return (
    <CommandItem
      value={itemValue(option.value)}
      keywords={[option.label, ...(option.keywords ?? [])]}
      disabled={option.disabledReason !== undefined}
      onSelect={() => onChoose(option.value)}
      className="items-start py-1.5"
    >
      <span className="flex h-5 w-4 shrink-0 items-center">
        {isChosen && <Check aria-label="Chosen" className="text-foreground" />}
      </span>
      {option.icon !== undefined && <span className="flex h-5 shrink-0 items-center">{option.icon}</span>}
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{option.label}</span>
        {second !== undefined && <span className="text-[13px] text-muted-foreground">{second}</span>}
      </span>
    </CommandItem>
  );
}

/** For cmdk, an item without a value has none at all; here the empty string is a valid choice. */
function itemValue(value: string): string {
  return `=${value}`;
}

function groupOptions(options: readonly ComboboxOption[]): [heading: string, members: ComboboxOption[]][] {
  const groups = new Map<string, ComboboxOption[]>();
  for (const option of options) {
    const heading = option.group ?? "";
    const members = groups.get(heading);
    if (members === undefined) groups.set(heading, [option]);
    else members.push(option);
  }
  return [...groups];
}
