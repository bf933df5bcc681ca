import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readFirstSharedEntries, readSharedRun } from "#components/shared-run/read-shared-run.ts";
import { SharePage } from "#components/shared-run/share-page.tsx";
import { sharedRunWords } from "#components/shared-run/shared-run-words.ts";
import { FailedRun } from "#components/trace/page/failed-run.tsx";
import { runTitle } from "#lib/entry/run-title.ts";
import { markInvisible } from "#lib/entry/visible-text.ts";

type Props = PageProps<"/share/[share_token]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await readSharedRun((await params).share_token);
  const title = found.kind === "found" ? markInvisible(runTitle(found.run.prompt)) : "Shared run";
  const description =
    found.kind === "found" ? markInvisible(sharedRunWords(found.run)) : "A coding agent's work, step by step.";
  return {
    title,
    description,
    // Shown by chats and trackers as a preview of the link. No picture: it would reveal more than the link's owner chose to.
    openGraph: { title, description, siteName: "Errand", type: "article" },
    twitter: { card: "summary", title, description },
    robots: { index: false, follow: false },
    referrer: "no-referrer",
  };
}

export default async function SharedRunPage({ params, searchParams }: Props) {
  const token = (await params).share_token;
  const found = await readSharedRun(token);
  switch (found.kind) {
    case "not-found":
      return notFound();
    case "failed":
      return <FailedRun detail={found.detail} requestId={found.requestId} />;
    case "found": {
      const { entry } = await searchParams;
      const state = await readFirstSharedEntries(token, found.run, typeof entry === "string" ? entry : undefined);
      return <SharePage token={token} run={found.run} state={state} />;
    }
  }
}
