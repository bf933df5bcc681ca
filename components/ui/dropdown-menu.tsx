"use client";

import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  useContext,
  useMemo,
  useState,
} from "react";
import { cn } from "./class-names.ts";
import type * as menuParts from "./dropdown-menu-parts.tsx";
import { Lend } from "./lend.ts";
import { loadable, useLoaded } from "./use-loaded.ts";

type Parts = typeof menuParts;

const parts = loadable(() => import("./dropdown-menu-parts.tsx"));
const MenuParts = createContext<{ loaded: Parts | null; want: () => void }>({ loaded: null, want: () => {} });

/** A menu behind a button. Its program is fetched when it is first opened: until then there is the button alone. */
export function DropdownMenu({ children, ...props }: ComponentProps<Parts["DropdownMenu"]>) {
  const [wasWanted, setWanted] = useState(false);
  const isWanted = wasWanted || props.open === true;
  const found = useLoaded(parts, isWanted);
  const loaded = isWanted ? found : null;
  const { onOpenChange } = props;
  const context = useMemo(
    () => ({
      loaded,
      want() {
        setWanted(true);
        onOpenChange?.(true);
      },
    }),
    [loaded, onOpenChange],
  );
  return (
    <MenuParts value={context}>
      {loaded === null ? (
        children
      ) : (
        <loaded.DropdownMenu defaultOpen {...props}>
          {children}
        </loaded.DropdownMenu>
      )}
    </MenuParts>
  );
}

export function DropdownMenuTrigger(props: ComponentProps<Parts["DropdownMenuTrigger"]>) {
  const { loaded, want } = useContext(MenuParts);
  if (loaded !== null) return <loaded.DropdownMenuTrigger {...props} />;
  const { asChild = false, ...others } = props;
  const Element = asChild ? Lend : "button";
  return (
    <Element
      type="button"
      {...others}
      aria-haspopup="menu"
      aria-expanded={false}
      data-state="closed"
      onPointerDown={(event: PointerEvent<HTMLButtonElement>) => {
        if (event.button !== 0 || event.ctrlKey) return;
        // The focus is the menu's: this button is another one by then.
        event.preventDefault();
        want();
      }}
      onKeyDown={(event: KeyboardEvent<HTMLButtonElement>) => {
        if (event.key !== "Enter" && event.key !== " " && event.key !== "ArrowDown") return;
        event.preventDefault();
        want();
      }}
    />
  );
}

export function DropdownMenuContent(props: ComponentProps<Parts["DropdownMenuContent"]>) {
  const { loaded } = useContext(MenuParts);
  return loaded && <loaded.DropdownMenuContent {...props} />;
}

export function DropdownMenuRadioGroup(props: ComponentProps<Parts["DropdownMenuRadioGroup"]>) {
  const { loaded } = useContext(MenuParts);
  return loaded && <loaded.DropdownMenuRadioGroup {...props} />;
}

export function DropdownMenuItem(props: ComponentProps<Parts["DropdownMenuItem"]>) {
  const { loaded } = useContext(MenuParts);
  return loaded && <loaded.DropdownMenuItem {...props} />;
}

export function DropdownMenuCheckboxItem(props: ComponentProps<Parts["DropdownMenuCheckboxItem"]>) {
  const { loaded } = useContext(MenuParts);
  return loaded && <loaded.DropdownMenuCheckboxItem {...props} />;
}

export function DropdownMenuRadioItem(props: ComponentProps<Parts["DropdownMenuRadioItem"]>) {
  const { loaded } = useContext(MenuParts);
  return loaded && <loaded.DropdownMenuRadioItem {...props} />;
}

export function DropdownMenuLabel(props: ComponentProps<Parts["DropdownMenuLabel"]>) {
  const { loaded } = useContext(MenuParts);
  return loaded && <loaded.DropdownMenuLabel {...props} />;
}

export function DropdownMenuSeparator(props: ComponentProps<Parts["DropdownMenuSeparator"]>) {
  const { loaded } = useContext(MenuParts);
  return loaded && <loaded.DropdownMenuSeparator {...props} />;
}

export function DropdownMenuShortcut({ className, ...props }: ComponentProps<"span">) {
  return <span className={cn("ml-auto pl-4 text-muted-foreground text-xs", className)} {...props} />;
}
