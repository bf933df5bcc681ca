import { useMemo } from "react";
import { imageSourcesOf } from "#lib/entry/image-sources.ts";
import type { CardProps } from "./card-props.ts";

/** The images that an entry carries, no larger than the card. An entry that was cut short shows them when it is whole. */
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
