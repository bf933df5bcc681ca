"use client";

import type { ComponentProps } from "react";
import { FileChips } from "#components/runs/attach/file-chips.tsx";

type ComposerFilesProps = Pick<ComponentProps<typeof FileChips>, "files" | "onLeave"> & {
  change: ComponentProps<typeof FileChips>["onChange"];
  refusals: readonly string[];
};

/** Text files of the message being written, and the reasons that others were not attached. */
export default function ComposerFiles({ files, change, refusals, onLeave }: ComposerFilesProps) {
  return (
    <div className="grid gap-1.5">
      <FileChips {...{ files, onLeave }} onChange={change} />
      {refusals.length > 0 && (
        <p role="alert" className="text-[13px] text-destructive">
          {refusals.join(" ")}
        </p>
      )}
    </div>
  );
}
