/** Classes of one tab, for tabs that are links: mark the current one with `data-state="active"` and `aria-current`. */
export const tabClasses =
  "-mb-px inline-flex h-9 shrink-0 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 text-muted-foreground text-sm transition-colors hover:text-foreground focus-visible:-outline-offset-2 disabled:pointer-events-none disabled:opacity-50 data-[state=active]:border-foreground data-[state=active]:font-medium data-[state=active]:text-foreground pointer-coarse:h-11 [&_svg]:size-4";
