"use client";

import { Paperclip } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { Button } from "#components/ui/button.tsx";

type AttachButtonProps = Pick<ComponentProps<typeof Button>, "className" | "children"> & {
  onFiles: (files: File[]) => void;
};

/** Button to choose files from this computer. */
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
          // Reset, so that a removed file can be chosen again.
          event.target.value = "";
        }}
      />
    </>
  );
}
