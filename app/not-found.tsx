import type { Metadata } from "next";
import { NotFoundState } from "#components/shell/page-states.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFoundPage() {
  return (
    <main className="grid min-h-dvh content-center">
      <NotFoundState />
    </main>
  );
}
