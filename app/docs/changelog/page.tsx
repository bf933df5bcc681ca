import type { Metadata } from "next";
import { ChangelogPage } from "#components/docs/changelog-page.tsx";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { readDocs } from "#components/docs/read-docs.ts";

export const metadata: Metadata = { title: "Changelog · API" };

export default async function ChangesPage() {
  const docs = await readDocs();
  return (
    <DocsFrame docs={docs} current="changelog">
      <ChangelogPage />
    </DocsFrame>
  );
}
