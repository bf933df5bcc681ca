"use client";

import { type FormEvent, useState } from "react";

/** The one request of a form: under way, or what it failed with. `send` gives what is asked when the form is sent. */
export function useSubmit(send: () => Promise<unknown>, onDone: () => void) {
  const [error, setError] = useState<unknown>(null);
  const [isPending, setPending] = useState(false);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setError(null);
    // A page that leaves stays pending: nothing is to be sent twice meanwhile.
    send().then(onDone, (cause: unknown) => {
      setError(cause);
      setPending(false);
    });
  }
  return { error, isPending, onSubmit };
}
