"use client";

import { type ClipboardEvent, type DragEvent, useMemo, useRef, useState } from "react";
import { useDraft } from "#components/ui/use-draft.ts";
import type { TextFile } from "./read-text-files.ts";
import { parseStoredFiles } from "./stored-files.ts";

/** Text files of the message being written. They survive a reload: they are stored in this browser under `key`. */
export function useAttached(key: string) {
  const [kept, keep, edit] = useDraft(key);
  const files = useMemo(() => parse(kept), [kept]);
  const [refusals, setRefusals] = useState<string[]>([]);
  const [isOver, setOver] = useState(false);
  const [isReading, setReading] = useState(false);
  // Files chosen while others are still being read are added to those.
  const adding = useRef<Promise<TextFile[]> | null>(null);

  function change(next: TextFile[]) {
    setRefusals([]);
    keep(written(next));
  }

  /** Removes files that were sent; those attached meanwhile stay. */
  function remove(sent: readonly TextFile[]) {
    const isSent = (file: TextFile) => sent.some(({ name, text }) => name === file.name && text === file.text);
    edit((now) => written(parse(now).filter((file) => !isSent(file))));
  }

  function add(added: File[]) {
    const before = adding.current ?? Promise.resolve(files);
    const now = before.then(async (there) => {
      const { addTextFiles } = await import("./read-text-files.ts");
      const read = await addTextFiles(there, added);
      setRefusals(read.refusals);
      // Those that were there may have been sent or removed by now.
      const fresh = read.files.filter((file) => !there.includes(file));
      edit((now) => written([...parse(now), ...fresh]));
      return read.files;
    });
    // The script that reads them could not be loaded.
    const done = now.catch(async () => {
      setRefusals(
        added.map(({ name }) => `${name} was not attached, because Errand cannot be reached. Attach it again.`),
      );
      return before;
    });
    adding.current = done;
    setReading(true);
    void done.then(() => {
      if (adding.current !== done) return;
      adding.current = null;
      setReading(false);
    });
  }

  /** Handlers for the field: files are dropped or pasted there. */
  const field = {
    onPaste(event: ClipboardEvent) {
      const pasted = [...event.clipboardData.files];
      // Text copied from an office program includes a picture of itself: use only the text.
      if (pasted.length === 0 || event.clipboardData.types.includes("text/plain")) return;
      event.preventDefault();
      add(pasted);
    },
    onDrop(event: DragEvent) {
      setOver(false);
      const dropped = [...event.dataTransfer.files];
      if (dropped.length === 0) return;
      event.preventDefault();
      add(dropped);
    },
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
  };
  const forgetRefusals = () => setRefusals([]);
  return { files, refusals, isOver, isReading, field, add, change, remove, forgetRefusals };
}

function written(files: readonly TextFile[]): string {
  return files.length === 0 ? "" : JSON.stringify(files);
}

function parse(kept: string): TextFile[] {
  try {
    return kept === "" ? [] : parseStoredFiles(JSON.parse(kept));
  } catch {
    return [];
  }
}
