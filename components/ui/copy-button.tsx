"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button.tsx";
import { toast } from "./toast-store.ts";

const SAID_FOR_MS = 1500;

/** Copies `text` to the clipboard and says so for a moment. */
export function CopyButton({ text, label = "Copy", className }: { text: string; label?: string; className?: string }) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
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
        {copied ? <Check className="text-status-completed" /> : <Copy />}
      </IconButton>
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}
