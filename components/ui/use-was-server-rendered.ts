import { useState } from "react";
import { useIsInBrowser } from "./use-is-in-browser.ts";

/** Whether the server rendered this component; false if the browser created it. It never changes. */
export function useWasServerRendered(): boolean {
  const isHydrating = !useIsInBrowser();
  return useState(isHydrating)[0];
}
