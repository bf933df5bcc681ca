/** Code or a response. If it is long, it scrolls by itself, with the keyboard too. */
export function ScrollingCode({ text, height }: { text: string; height: "middle" | "tall" }) {
  const classes = "min-w-0 flex-1 overflow-auto px-3 py-2.5";
  const look = `${classes} focus-visible:-outline-offset-2 ${height === "tall" ? "max-h-120" : "max-h-80"}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <pre tabIndex={0} className={look}>
      <code>{text}</code>
    </pre>
  );
}
