/** Code or a response. Long content scrolls within its box, with the keyboard too. */
export function ScrollingCode({ text, height }: { text: string; height: "middle" | "tall" }) {
  const classes = "min-w-0 flex-1 overflow-auto px-3 py-2.5";
  const look = `${classes} focus-visible:-outline-offset-2 ${height === "tall" ? "max-h-120" : "max-h-80"}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard.
    <pre tabIndex={0} className={look}>
      <code>{text}</code>
    </pre>
  );
}
