/** A path as it is in the run's checkout; any other absolute one by its last three parts. */
export function shortPath(path: string): string {
  const inCheckout = /^\/.*?\/checkouts\/\d+\/(.+)$/.exec(path)?.[1];
  if (inCheckout !== undefined) return inCheckout;
  const parts = path.split(/[\\/]/);
  const isAbsolute = path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
  return isAbsolute && parts.length > 4 ? `…/${parts.slice(-3).join("/")}` : path;
}

/** The last part of a path, of Windows' too. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}
