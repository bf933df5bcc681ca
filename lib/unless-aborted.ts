/** The value, or null if the signal aborts first, also before the call. Leaves no listener behind. */
export async function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  const aborted = Promise.withResolvers<null>();
  const onAbort = () => aborted.resolve(null);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([aborted.promise, value]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
