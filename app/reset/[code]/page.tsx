import type { Metadata } from "next";
import { EndedLink } from "#components/people/ended-link.tsx";
import { readLink } from "#components/people/read-person.ts";
import { ResetPage } from "#components/people/reset-page.tsx";
import { readReset } from "#lib/client/pages/people-queries.ts";
import { anonymousTransport } from "#lib/client/server-transport.ts";

export const metadata: Metadata = {
  title: "New password",
  robots: { index: false, follow: false },
  referrer: "no-referrer",
};

export default async function Page({ params }: PageProps<"/reset/[code]">) {
  const { code } = await params;
  const found = await readLink(readReset(code, anonymousTransport));
  if (found.kind === "found") return <ResetPage code={code} reset={found.value} />;
  return (
    <EndedLink
      title={found.kind === "ended" ? "This link is not valid" : "The link could not be read"}
      detail={found.detail}
      advice={found.kind === "ended" ? "Ask an admin for a new one." : ""}
    />
  );
}
