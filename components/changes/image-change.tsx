"use client";

import { useQuery } from "@tanstack/react-query";
import { describeBinary } from "#components/text/binary-size.ts";
import { describeError } from "#lib/client/client-error.ts";
import { workFileQuery } from "#lib/client/pages/change-queries.ts";
import { type PatchFile, pathOf } from "#lib/entry/patch.ts";

const types: Readonly<Record<string, string>> = {
  ...{ png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif" },
  ...{ webp: "image/webp", avif: "image/avif", bmp: "image/bmp", ico: "image/x-icon" },
};

/** Whether a browser can show the file as an image, judged by its name. SVG counts as text. */
export function isImage(path: string): boolean {
  return typeOf(path) !== undefined;
}

function typeOf(path: string): string | undefined {
  return types[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
}

type ImageChangeProps = { orgId: number; runId: number; sinceTurn: number; file: PatchFile };

/** An image, before and after the change. */
export function ImageChange({ orgId, runId, sinceTurn, file }: ImageChangeProps) {
  const { oldPath, newPath } = file;
  return (
    <div className="grid gap-3 p-3 sm:grid-cols-2">
      {oldPath !== null && <Picture {...{ orgId, runId, path: oldPath }} turn={sinceTurn} words="Before" />}
      {newPath !== null && <Picture {...{ orgId, runId, path: newPath }} turn={null} words="After" />}
      <p className="text-[13px] text-muted-foreground sm:col-span-2">
        {describeBinary(file)} {pathOf(file)}
      </p>
    </div>
  );
}

type PictureProps = { orgId: number; runId: number; path: string; turn: number | null; words: string };

function Picture({ orgId, runId, path, turn, words }: PictureProps) {
  const { data, error, isPending } = useQuery(workFileQuery(orgId, runId, { path, turn }));
  const why =
    error !== null
      ? describeError(error).detail
      : isPending
        ? "Loading"
        : data?.encoding !== "base64"
          ? "It is too large or not an image."
          : null;
  return (
    <figure className="grid min-w-0 content-start gap-1">
      <figcaption className="text-[13px] text-muted-foreground">{words}</figcaption>
      {why !== null ? (
        <p className="text-[13px] text-muted-foreground">{why}</p>
      ) : (
        // With a fixed type, the browser shows it as that type or not at all.
        <img
          src={`data:${typeOf(path)};base64,${data?.content ?? ""}`}
          alt={`${path}, ${words.toLowerCase()}`}
          className="max-h-96 max-w-full justify-self-start rounded-sm border border-border bg-[repeating-conic-gradient(var(--muted)_0_25%,transparent_0_50%)] bg-size-[16px_16px] object-contain"
        />
      )}
    </figure>
  );
}
