"use client";

import { type FormEvent, useState } from "react";

/** State of a form's only request. `send` returns the request to make when the form is submitted. */
export function useSubmit(send: () => Promise<unknown>, onDone: () => void) {
  const [error, setError] = useState<unknown>(null);
  const [isPending, setPending] = useState(false);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setError(null);
    // Stays pending while navigating away: nothing must be sent twice in the meantime.
    send().then(onDone, (cause: unknown) => {
      setError(cause);
      setPending(false);
    });
  }
  return { error, isPending, onSubmit };
}
