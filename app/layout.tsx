import "./globals.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { themeScript } from "#components/shell/theme-script.ts";
import { Toaster } from "#components/ui/toast.tsx";
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
  const nonce = findNonce((await headers()).get("content-security-policy"));
  return (
    // The script changes the class of <html> before React sees it.
    <html lang="en" className={fontClassNames} suppressHydrationWarning>
      <head>
        {/* Browsers hide a nonce from scripts once they have read it. */}
        <script nonce={nonce} suppressHydrationWarning>
          {themeScript}
        </script>
      </head>
      <body>
        {children}
        <Toaster />
      </body>
    </html>
  );
}

/** The nonce of the policy that the front puts on the request: the same one that Next reads for its own scripts. */
function findNonce(policy: string | null): string | undefined {
  return policy?.match(/'nonce-([A-Za-z0-9+/_=-]+)'/)?.[1];
}
