"use client";

import { Suspense, useEffect, useRef, useState } from "react";
import { Loading } from "#components/shell/loading.tsx";
import { lazyPart } from "#components/ui/use-loaded.ts";
import { Fold } from "./fold.tsx";
import type { TryFormProps } from "./try-form.tsx";

const TryForm = lazyPart(async () => (await import("./try-form.tsx")).TryForm);

/** A form that sends the operation with the reader's session. Its code is loaded when it is opened. */
export function TryIt(props: TryFormProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  // It may have been opened before this ran.
  useEffect(() => {
    if (details.current?.open) setWasOpened(true);
  }, []);
  return (
    <Fold
      summary="Try it"
      ref={details}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setWasOpened(true);
      }}
    >
      {wasOpened && (
        <Suspense fallback={<Loading label="Loading the form" lines={2} />}>
          <TryForm {...props} />
        </Suspense>
      )}
    </Fold>
  );
}
