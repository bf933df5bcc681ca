"use client";

import { useEffect } from "react";
import { repeatEarlyEventsOfPage } from "./early-events.ts";

/** Once, in the root layout: what was pressed before any script had run is done as soon as React has taken the page over. */
export function EarlyEventsRepeated() {
  useEffect(() => queueMicrotask(repeatEarlyEventsOfPage), []);
  return null;
}
