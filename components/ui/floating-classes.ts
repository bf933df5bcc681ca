/** Surface of everything that opens over the page. */
export const floatingClasses =
  "z-50 animate-pop rounded-lg border border-border bg-popover text-popover-foreground shadow-lg shadow-black/5 outline-none dark:shadow-black/40";
