import { Badge } from "#components/ui/badge.tsx";
import { noticeDays } from "#lib/contract/compatibility.ts";
import { type Change, type ChangeKind, changelog } from "#lib/contract/openapi/changelog.ts";
import { operations } from "#lib/contract/operations.ts";
import { operationHref } from "./api-description.ts";
import { codeWords } from "./code-words.tsx";
import { DocsLink } from "./docs-link.tsx";

const kinds: Record<ChangeKind, string> = {
  added: "Added",
  changed: "Changed",
  deprecated: "Deprecated",
  removed: "Removed",
};

const days = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** Every change of the API, newest first, and the advance notice before breaking changes. */
export function ChangelogPage() {
  const dates = [...Map.groupBy(changelog, ({ date }) => date)];
  return (
    <div className="grid max-w-205 gap-10">
      <div className="grid gap-2">
        <h1 className="font-semibold text-xl/7">Changelog</h1>
        <p>
          API changes that a client can notice, newest first, since November 28, 2026. There has been no release yet;
          the notice is promised from the first one on.
        </p>
      </div>
      <section id="notice" aria-labelledby="notice-title" className="grid scroll-mt-16 gap-2">
        <h2 id="notice-title" className="font-semibold text-base/6">
          Advance notice
        </h2>
        <p>
          A change that could break a client is announced here at least {noticeDays.stable} days before it happens. For
          operations that answer <code>X-Errand-Stability: alpha</code> the notice is at least {noticeDays.alpha} days.
          From then on, responses of the affected operations carry three headers:
        </p>
        <ul className="grid list-disc gap-1 pl-5">
          <li>
            <code>Deprecation</code> says when it was deprecated (RFC 9745).
          </li>
          <li>
            <code>Sunset</code> says when it may stop working (RFC 8594).
          </li>
          <li>
            <code>Link</code> with <code>rel=&quot;deprecation&quot;</code> links to the entry on this page.
          </li>
        </ul>
        <p>
          Additions are made without notice: new operations, optional parameters, response fields, event types, enum
          values. Ignore anything you do not recognize.
        </p>
      </section>
      {dates.map(([date, changes]) => (
        <section key={date} aria-labelledby={`day-${date}`} className="grid gap-1">
          <h2 id={`day-${date}`} className="font-semibold text-base/6">
            <time dateTime={date}>{days.format(new Date(`${date}T00:00:00Z`))}</time>
          </h2>
          <ul className="grid">
            {changes.map((change) => (
              <ChangeItem key={change.id} change={change} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function ChangeItem({ change: { id, kind, words, operations: named, sunset } }: { change: Change }) {
  return (
    <li
      id={id}
      className="grid scroll-mt-16 gap-x-4 gap-y-1 border-border border-t py-3 target:bg-accent sm:grid-cols-[6rem_minmax(0,1fr)]"
    >
      <div>
        <a href={`#${id}`} className="hover:underline">
          <Badge variant={kind === "deprecated" || kind === "removed" ? "waiting" : "default"}>{kinds[kind]}</Badge>
        </a>
      </div>
      <div className="grid min-w-0 gap-1">
        <p>{codeWords(words)}</p>
        {sunset !== undefined && (
          <p>
            It may stop working on <time dateTime={sunset}>{days.format(new Date(`${sunset}T00:00:00Z`))}</time>.
          </p>
        )}
        <p className="flex flex-wrap gap-x-3 text-[13px]">
          {named.map((name) => (
            <OperationName key={name} id={name} />
          ))}
        </p>
      </div>
    </li>
  );
}

/** A removed operation is no longer described, so its name is not a link. */
function OperationName({ id }: { id: string }) {
  const operation = operations.find((known) => known.id === id);
  return operation === undefined ? <code>{id}</code> : <DocsLink href={operationHref(operation)}>{id}</DocsLink>;
}
