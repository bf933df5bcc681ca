import { Search } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names.ts";
import { Input } from "./input.tsx";

type SearchInputProps = ComponentProps<typeof Input> & {
  boxClassName?: string;
  /** Shown over the field, for example on its right. */
  children?: ReactNode;
};

/** A search field with a magnifying glass. */
export function SearchInput({ boxClassName, className, children, ...props }: SearchInputProps) {
  return (
    <div className={cn("relative", boxClassName)}>
      <Search aria-hidden className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted-foreground" />
      <Input className={cn("pl-8", className)} {...props} />
      {children}
    </div>
  );
}
