/** A path relative to the run's checkout; any other absolute one as its last three parts. */
export function shortPath(path: string): string {
  // That the path is one line is looked at first: otherwise each folder of this name would be read to the end.
  const inCheckout = /^(?=.*$)\/.*?\/checkouts\/\d+\/(.+)$/.exec(path)?.[1];
  if (inCheckout !== undefined) return inCheckout;
  const parts = path.split(/[\\/]/);
  const isAbsolute = path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
  return isAbsolute && parts.length > 4 ? `…/${parts.slice(-3).join("/")}` : path;
}

/** Last part of a path, also of Windows paths. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}
