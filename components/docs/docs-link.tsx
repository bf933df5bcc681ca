import Link from "next/link";
import type { ReactNode } from "react";

/** A link in the text of the documentation. */
export function DocsLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} prefetch={false} className="text-link underline underline-offset-4">
      {children}
    </Link>
  );
}
