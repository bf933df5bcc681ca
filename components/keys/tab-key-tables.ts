import { table } from "./key-tables.ts";

// Tables of a run's tabs that load when they are shown.

/** The changes of a run. */
export const changesKeys = table([{ keys: { n: "next", p: "previous" }, does: "Next and previous file" }]);

/** The timeline of a run. */
export const timelineKeys = table([
  {
    keys: { "+": "closer", "=": "closer", "-": "farther", _: "farther" },
    shown: ["+", "−"],
    does: "Zoom in and out",
  },
  { keys: { 0: "whole" }, does: "The whole run" },
  {
    keys: { ArrowLeft: "left", ArrowRight: "right" },
    shown: ["←", "→"],
    does: "Pan; with Shift, by a full screen",
  },
  { keys: { j: "next", k: "previous" }, does: "Select the next and previous step" },
  { keys: { Enter: "open" }, does: "Open the step" },
  { keys: { h: "idle" }, does: "Hide or show idle time" },
  { keys: { Escape: "leave" }, shown: ["Esc"], does: "Clear the selection" },
]);
