import type { Metadata } from "next";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { Guide } from "#components/docs/guide.tsx";
import { readDocs } from "#components/docs/read-docs.ts";

export const metadata: Metadata = { title: "API" };

export default async function GuidePage() {
  const docs = await readDocs();
  return (
    <DocsFrame docs={docs} current="guide">
      <Guide docs={docs} />
    </DocsFrame>
  );
}
