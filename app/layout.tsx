import "./globals.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { sampleLanguageScript } from "#components/docs/sample-language-script.ts";
import { earlyEventsScript } from "#components/islands/early-events-script.ts";
import { EarlyEventsRepeated } from "#components/islands/island.tsx";
import { ThemeApplied } from "#components/shell/theme.tsx";
import { themeScript } from "#components/shell/theme-script.ts";
import { diffLayoutScript } from "#components/text/diff-layout-script.ts";
import { densityScript } from "#components/trace/steps/density/density-script.ts";
import { FailedChunks } from "#components/ui/failed-chunks.tsx";
import { Toaster } from "#components/ui/toaster.tsx";
import { fontClassNames } from "./fonts.ts";

export const metadata: Metadata = {
  title: { default: "Errand", template: "%s · Errand" },
  description: "Sends coding agents on errands in your repositories and shows every step they take",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0d0d0e" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    // The script changes attributes of <html> before React hydrates it.
    <html lang="en" className={fontClassNames} suppressHydrationWarning>
      <head>
        {/* Browsers hide a nonce from scripts once they have read it. */}
        <script nonce={nonce} suppressHydrationWarning>
          {`${themeScript}${densityScript}${diffLayoutScript}${sampleLanguageScript}${earlyEventsScript}`}
        </script>
      </head>
      <body>
        <ThemeApplied />
        {children}
        <EarlyEventsRepeated />
        <FailedChunks />
        <Toaster />
      </body>
    </html>
  );
}
