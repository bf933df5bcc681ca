import { type ApiWords, operationHref } from "./api-description.ts";
import { DocsLink } from "./docs-link.tsx";
import { PathWords } from "./path-words.tsx";

/** Every operation by its tag, for the browser's find. Each line has the operation's id as its anchor. */
export function OperationsIndex({ api }: { api: ApiWords }) {
  return (
    <div className="grid gap-8">
      {api.tags.map(({ tag, slug, about, operations }) => (
        <section key={slug} aria-labelledby={`tag-${slug}`} className="grid gap-2">
          <h3 id={`tag-${slug}`} className="scroll-mt-16 font-medium">
            <DocsLink href={`/docs/reference/${slug}`}>{tag}</DocsLink>
            <span className="block font-normal text-[13px] text-muted-foreground">{about}</span>
          </h3>
          <ul className="grid">
            {operations.map(({ operation }) => (
              <li
                key={operation.id}
                id={operation.id}
                className="grid scroll-mt-16 gap-x-4 border-border border-t py-1.5 target:bg-accent sm:grid-cols-2"
              >
                <DocsLink href={operationHref(operation)}>{operation.summary}</DocsLink>
                <code className="wrap-anywhere min-w-0 text-muted-foreground">
                  {operation.method} <PathWords path={operation.path} />
                </code>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
