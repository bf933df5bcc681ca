import type { Metadata } from "next";
import { EndedLink } from "#components/people/ended-link.tsx";
import { JoinPage } from "#components/people/join-page.tsx";
import { findPerson, readLink } from "#components/people/read-person.ts";
import { readInvitation } from "#lib/client/pages/people-queries.ts";
import { anonymousTransport } from "#lib/client/server-transport.ts";

export const metadata: Metadata = {
  title: "Invitation",
  robots: { index: false, follow: false },
  referrer: "no-referrer",
};

export default async function Page({ params }: PageProps<"/invite/[code]">) {
  const { code } = await params;
  const found = await readLink(readInvitation(code, anonymousTransport));
  if (found.kind === "found") {
    return <JoinPage code={code} invitation={found.value} person={await findPerson()} />;
  }
  return (
    <EndedLink
      title={found.kind === "ended" ? "This invitation is not valid" : "The invitation could not be read"}
      detail={found.detail}
      advice={found.kind === "ended" ? "Ask whoever sent it for a new one." : ""}
    />
  );
}
