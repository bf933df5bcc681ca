import type { Metadata } from "next";
import { OidcReturn } from "#components/session/oidc-return.tsx";

export const metadata: Metadata = { title: "Sign in", robots: { index: false }, referrer: "no-referrer" };

export default function Page() {
  return <OidcReturn />;
}
