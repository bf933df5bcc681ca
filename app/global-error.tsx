"use client";

import "./globals.css";
import { LazyFailedPage } from "#components/page/lazy-failed-page.tsx";

export default function GlobalErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Error · Errand</title>
        <main className="grid min-h-dvh content-center">
          <LazyFailedPage {...props} />
        </main>
      </body>
    </html>
  );
}
