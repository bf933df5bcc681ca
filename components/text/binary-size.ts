import type { PatchFile } from "#lib/entry/patch.ts";
import { formatBytes } from "#lib/format-bytes.ts";

/** "Binary file" with its size, before and after if it changed; patches do not always say. */
export function describeBinary({ status, oldBytes, newBytes }: PatchFile): string {
  const sizes =
    status === "added"
      ? [newBytes]
      : status === "deleted"
        ? [oldBytes]
        : oldBytes === newBytes
          ? [newBytes]
          : [oldBytes, newBytes];
  if (sizes.includes(null)) return "Binary file";
  return `Binary file, ${sizes.map((size) => formatBytes(size ?? 0)).join(" → ")}`;
}
