"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button.tsx";
import { toast } from "./toast-store.ts";

const SAID_FOR_MS = 1500;

type CopyButtonProps = {
  /** Text to copy; a function if it must be created or loaded first. */
  text: string | (() => string | Promise<string>);
  label?: string;
  className?: string;
};

/** Copies `text` to the clipboard and briefly confirms it. */
export function CopyButton({ text, label = "Copy", className }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    let copied: string;
    try {
      copied = typeof text === "string" ? text : await text();
    } catch {
      toast({ tone: "error", title: "Could not copy", description: "The whole text could not be read. Try again." });
      return;
    }
    try {
      await navigator.clipboard.writeText(copied);
      setCopied(true);
    } catch {
      // Browsers refuse the clipboard on plain http and without permission.
      toast({
        tone: "error",
        title: "Could not copy",
        description: "The browser did not allow it. Select the text instead.",
      });
    }
  }

  return (
    <>
      <IconButton label={label} size="icon-sm" className={className} onClick={copy}>
        {isCopied ? <Check className="text-status-completed" /> : <Copy />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </>
  );
}
