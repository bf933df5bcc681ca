import { useMemo } from "react";
import { imageSourcesOf } from "#lib/entry/image-sources.ts";
import type { CardProps } from "./card-props.ts";

/** Images in an entry, at most as wide as the card. A cut entry shows them once it is complete. */
export function EntryImages({ entry }: CardProps) {
  const images = useMemo(
    () => ((entry.clipped ?? []).length > 0 ? [] : imageSourcesOf([entry.tool_output, entry.observation])),
    [entry],
  );
  if (images.length === 0) return null;
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {images.map(({ url, type }, index) => (
        <img
          key={url}
          src={url}
          alt={`${index + 1} of ${images.length} in this step (${type})`}
          decoding="async"
          className="max-h-80 max-w-full rounded-md border border-border bg-code object-contain"
        />
      ))}
    </div>
  );
}
