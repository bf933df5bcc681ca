"use client";

import { Search } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { IconButton } from "#components/ui/icon-button.tsx";
import { SearchedText } from "./searched-text.tsx";
import { ToolBody } from "./tool-frame.tsx";

/** Shorter texts do not need a search. */
const SEARCHED_FROM = 2_000;

type SearchedBodyProps = {
  /** The entry's seq. */
  seq: number;
  /** The text that `children` shows. */
  text: string;
  label?: string | undefined;
  action?: ReactNode;
  children: ReactNode;
};

/** A part of a tool's card with a long text that has a search of its own. */
export function SearchedBody({ seq, text, label, action, children }: SearchedBodyProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  if (text.length < SEARCHED_FROM) {
    return (
      <ToolBody label={label} action={action}>
        {children}
      </ToolBody>
    );
  }
  const open = () => {
    flushSync(() => setOpen(true));
    field.current?.focus();
    field.current?.select();
  };
  const close = () => {
    button.current?.focus({ preventScroll: true });
    setOpen(false);
  };
  const search = (
    <IconButton
      ref={button}
      label="Search in output"
      size="icon-sm"
      className="size-7"
      aria-pressed={isOpen}
      onClick={open}
    >
      <Search />
    </IconButton>
  );
  return (
    <ToolBody
      label={label}
      action={
        <>
          {search}
          {action}
        </>
      }
    >
      {isOpen ? (
        <SearchedText {...{ seq, text, field }} onClose={close}>
          {children}
        </SearchedText>
      ) : (
        children
      )}
    </ToolBody>
  );
}
