import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { readDocs } from "#components/docs/read-docs.ts";
import { TagReference } from "#components/docs/tag-reference.tsx";

type Props = PageProps<"/docs/reference/[tag]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { tag } = await readTag(params);
  return { title: `${tag.tag} · API` };
}

export default async function TagPage({ params }: Props) {
  const { docs, tag } = await readTag(params);
  return (
    <DocsFrame docs={docs} current={tag.slug}>
      <TagReference tag={tag} docs={docs} />
    </DocsFrame>
  );
}

async function readTag(params: Props["params"]) {
  const docs = await readDocs();
  const { tag: slug } = await params;
  const tag = docs.api.tags.find((known) => known.slug === slug);
  return tag === undefined ? notFound() : { docs, tag };
}
