/** Calls back after `ms`, unless the returned function is called before. */
export function callLater(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
