"use client";

import { LazyFailedPage } from "#components/page/lazy-failed-page.tsx";

export default function ErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <main className="grid min-h-dvh content-center">
      <LazyFailedPage {...props} />
    </main>
  );
}
