"use client";

import { FailedPage } from "#components/page/failed-page.tsx";

export default function ErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <main className="grid min-h-dvh content-center">
      <FailedPage {...props} />
    </main>
  );
}
