import type { CSSProperties, ReactNode } from "react";
import type { AnsiColor, AnsiRun, AnsiStyle } from "#lib/entry/terminal-style.ts";
import { plainStyle } from "#lib/entry/terminal-style.ts";
import { VisibleText, visibleNodes } from "./visible-text.tsx";

/** One line of terminal output as spans, in colors readable in both themes; plain text without colors. */
export function ansiLine(runs: readonly AnsiRun[]): ReactNode {
  const [only, second] = runs;
  if (only?.style === plainStyle && second === undefined) return visibleNodes(only.text);
  return runs.map((run) =>
    run.style === plainStyle ? (
      <VisibleText key={run.at} text={run.text} />
    ) : (
      <span key={run.at} className={classesOf(run.style)} style={exactColors(run.style)}>
        <VisibleText text={run.text} />
      </span>
    ),
  );
}

/** Black, red, green, yellow, blue, magenta, cyan, white and their bright forms, each at least 4.5:1 on the code surface. */
const colors = [
  "text-[#171717] dark:text-[#8f8f96]",
  "text-[#b42318] dark:text-[#f97066]",
  "text-[#15703a] dark:text-[#4cc38a]",
  "text-[#8a5200] dark:text-[#e5b13c]",
  "text-[#1d4ed8] dark:text-[#7aa8ff]",
  "text-[#9333a8] dark:text-[#d68cf0]",
  "text-[#0e6b80] dark:text-[#4dc4dd]",
  "text-[#525252] dark:text-[#d4d4d8]",
  "text-[#666666] dark:text-[#a1a1a6]",
  "text-[#c8281c] dark:text-[#ff8f87]",
  "text-[#177a40] dark:text-[#6fdca6]",
  "text-[#946000] dark:text-[#f7cc66]",
  "text-[#2563eb] dark:text-[#9cc0ff]",
  "text-[#a93fc0] dark:text-[#e6aefa]",
  "text-[#107a92] dark:text-[#7fdcef]",
  "text-[#404040] dark:text-[#fafafa]",
];

const backgrounds = [
  "bg-[#e2e2e2] dark:bg-[#2a2a2e]",
  "bg-[#fbdcd9] dark:bg-[#4a1c1c]",
  "bg-[#d5f0dc] dark:bg-[#143a24]",
  "bg-[#faebc8] dark:bg-[#42320b]",
  "bg-[#dbe6fd] dark:bg-[#1a2c52]",
  "bg-[#f3e0f8] dark:bg-[#3d1f47]",
  "bg-[#d3eff5] dark:bg-[#0f3640]",
  "bg-[#ececec] dark:bg-[#38383d]",
];

function classesOf(style: AnsiStyle): string {
  const [color, background] = style.inverse ? [style.background, style.color] : [style.color, style.background];
  const isPlainInverse = style.inverse && color === null && background === null;
  return [
    isPlainInverse ? "bg-foreground text-background" : "",
    color === null ? "" : "palette" in color ? colors[color.palette] : exactColorClass,
    background === null ? "" : "palette" in background ? backgrounds[background.palette % 8] : exactBackgroundClass,
    style.bold ? "font-semibold" : "",
    style.dim ? (color === null && !isPlainInverse ? "text-muted-foreground" : "opacity-80") : "",
    style.italic ? "italic" : "",
    style.underline && style.strike ? "[text-decoration:underline_line-through]" : "",
    style.underline && !style.strike ? "underline" : "",
    style.strike && !style.underline ? "line-through" : "",
  ]
    .filter((name) => name !== "")
    .join(" ");
}

/** An exact color keeps its hue; its lightness is limited to a readable range. */
const exactColorClass =
  "[color:oklch(from_var(--ansi-color)_clamp(0,l,0.45)_c_h)] dark:[color:oklch(from_var(--ansi-color)_clamp(0.72,l,1)_c_h)]";
const exactBackgroundClass =
  "[background:oklch(from_var(--ansi-background)_clamp(0.92,l,1)_min(c,0.06)_h)] dark:[background:oklch(from_var(--ansi-background)_clamp(0,l,0.32)_min(c,0.09)_h)]";

function exactColors(style: AnsiStyle): CSSProperties | undefined {
  const [color, background] = style.inverse ? [style.background, style.color] : [style.color, style.background];
  const exact: Record<string, string> = {};
  if (isExact(color)) exact["--ansi-color"] = `rgb(${color.rgb})`;
  if (isExact(background)) exact["--ansi-background"] = `rgb(${background.rgb})`;
  return Object.keys(exact).length === 0 ? undefined : exact;
}

function isExact(color: AnsiColor | null): color is { rgb: string } {
  return color !== null && "rgb" in color;
}
