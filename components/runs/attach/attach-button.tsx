"use client";

import { Paperclip } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { Button } from "#components/ui/button.tsx";

type AttachButtonProps = Pick<ComponentProps<typeof Button>, "className" | "children"> & {
  onFiles: (files: File[]) => void;
};

/** Lets somebody choose files of this computer. */
export function AttachButton({ className, children, onFiles }: AttachButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="ghost" size="sm" className={className} onClick={() => chooser.current?.click()}>
        <Paperclip aria-hidden /> {children}
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file can be chosen again after it was removed.
          event.target.value = "";
        }}
      />
    </>
  );
}
