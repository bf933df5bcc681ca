import { Fragment } from "react";

/** A path that breaks at its slashes if it is too long for its line. */
export function PathWords({ path }: { path: string }) {
  return path.split("/").map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never change places.
    <Fragment key={index}>
      {index > 0 && (
        <>
          <wbr />/
        </>
      )}
      {part}
    </Fragment>
  ));
}
