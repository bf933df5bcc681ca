/** The logo of Errand: a path around a corner. It takes the color of the surrounding text. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" fill="none" aria-hidden="true" className={className}>
      <path
        d="M3 13.5V8.25A3.25 3.25 0 0 1 6.25 5H12.5M9 1.5 12.75 5 9 8.5"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
