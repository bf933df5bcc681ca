"use client";

import "./globals.css";
import { FailedPage } from "#components/page/failed-page.tsx";

export default function GlobalErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Error · Errand</title>
        <main className="grid min-h-dvh content-center">
          <FailedPage {...props} />
        </main>
      </body>
    </html>
  );
}
