import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({
  extend: { theme: { spacing: ["control", "control-sm", "bottom-bar"], animate: ["pop", "late", "turn", "breathe"] } },
});

/** Joins class names; of two Tailwind classes for the same property the later one wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
