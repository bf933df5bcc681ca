/** The beginning of a target's response, as plain text; nothing if it is empty. */
export function TargetAnswer({ answer }: { answer: string | null }) {
  if (answer === null || answer === "") return null;
  return (
    <pre className="whitespace-pre-wrap break-words rounded-md border border-border bg-code px-3 py-1.5 text-xs">
      {answer}
    </pre>
  );
}
