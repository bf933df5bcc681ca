"use client";

import { useQuery } from "@tanstack/react-query";
import { memo, useCallback, useMemo, useState } from "react";
import { describeBinary } from "#components/text/binary-size.ts";
import { fitsHunks } from "#components/text/diff-rows.ts";
import { PatchFileView } from "#components/text/patch-view.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { workFileQuery } from "#lib/client/pages/change-queries.ts";
import { type PatchFile, pathOf } from "#lib/entry/patch.ts";
import { type LineChoice, LineChoiceContext } from "./choose-lines.tsx";
import { ImageChange, isImage } from "./image-change.tsx";

type ChangedFileProps = {
  orgId: number;
  runId: number;
  sinceTurn: number;
  file: PatchFile;
  isOpen: boolean;
  isViewed: boolean;
  ignoresWhiteSpace: boolean;
  onOpen: (file: PatchFile, isOpen: boolean) => void;
  onViewed: (file: PatchFile, isViewed: boolean) => void;
  /** Null where comments cannot be written. Must keep its identity while nothing about this file changes. */
  choice: LineChoice | null;
};

/** One changed file. Images, and the lines around the changes, are fetched on demand. */
export const ChangedFile = memo(function ChangedFile(props: ChangedFileProps) {
  const { orgId, runId, sinceTurn, file, choice } = props;
  const [wantsWhole, setWantsWhole] = useState(false);
  const path = pathOf(file);
  // For a new or deleted file, the hunk has every line.
  const hasMore = file.status !== "added" && file.status !== "deleted" && !file.isBinary;
  const { data, error, isFetching } = useQuery({
    ...workFileQuery(orgId, runId, { path, turn: null }),
    enabled: wantsWhole,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const lines = useMemo(() => (data?.encoding === "utf-8" ? linesOf(data.content ?? "") : null), [data]);
  const fits = useMemo(() => lines !== null && fitsHunks(file.hunks, lines), [lines, file]);
  const problem =
    error !== null
      ? describeError(error).detail
      : data !== undefined && !fits && !isFetching
        ? "The file has changed since, is too large, or is not text."
        : null;
  return (
    <LineChoiceContext value={choice}>
      <PatchFileView
        file={file}
        isOpen={props.isOpen}
        onOpen={useCallback((isOpen: boolean) => props.onOpen(file, isOpen), [props.onOpen, file])}
        ignoresWhiteSpace={props.ignoresWhiteSpace}
        whole={fits ? lines : null}
        onWantWhole={hasMore && !fits && problem === null ? () => setWantsWhole(true) : undefined}
        picture={isImage(path) ? <ImageChange {...{ orgId, runId, sinceTurn, file }} /> : describedBinary(file)}
        notice={
          problem !== null && (
            <p role="status" className="border-border border-b px-3 py-1 text-[13px] text-muted-foreground">
              The lines around the changes cannot be shown: {problem}
            </p>
          )
        }
        isViewed={props.isViewed}
        onViewed={(isViewed) => props.onViewed(file, isViewed)}
      />
    </LineChoiceContext>
  );
});

function describedBinary(file: PatchFile) {
  return <p className="px-3 py-2 text-muted-foreground">{describeBinary(file)}</p>;
}

function linesOf(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
