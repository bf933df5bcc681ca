import { Progress } from "#lib/contract/runs/progress.ts";
import { listRuns } from "#lib/contract/runs/run-list.ts";
import { operationHref } from "./api-description.ts";
import { codeWords } from "./code-words.tsx";
import { DocsLink } from "./docs-link.tsx";
import { ReferenceTable } from "./fields-table.tsx";
import { followEntries, readAllEntries } from "./guide-samples.ts";
import { EventTable } from "./reference-sections.tsx";
import { SampleTabs } from "./sample-tabs.tsx";

/** Guide to reading lists and logs page by page. */
export function PagingGuide({ base }: { base: string }) {
  return (
    <>
      <p>
        Lists that can grow long take <code>skip</code> (how many to skip) and <code>limit</code> (how many to return, 1
        to 100), and <code>GET events</code> a cursor; the others return all their <code>items</code>. Long lists return{" "}
        <code>items</code>, <code>total</code>, <code>page</code>, <code>size</code> and <code>pages</code>, and in the
        header <code>Link</code> the address of the next page.{" "}
        <DocsLink href={operationHref(listRuns)}>Lists of runs</DocsLink> begin with the newest by default; then their
        next page begins after the last run of this one, so that no run is repeated when new ones are created. With{" "}
        <code>skip</code>, a new row moves the others by one, and one may be read twice. <code>page</code> (from 1) and{" "}
        <code>size</code> work too; <code>page</code> together with <code>skip</code> gives 400.
      </p>
      <p>
        A run&rsquo;s log returns <code>logs</code>, oldest first, and <code>total_logs</code>, which counts all
        entries. Deep pages are as fast as the first. A page past the end is empty, not an error. Entries never change
        and never move, so you never need to read one twice. <code>reverse=true</code> returns the newest first;{" "}
        <code>clip=N</code> cuts long strings at N characters and lists them in <code>clipped</code>.
      </p>
      <SampleTabs title="Read a whole log" samples={readAllEntries(base)} />
    </>
  );
}

/** Guide to following a run while it works. */
export function StreamGuide({ base }: { base: string }) {
  return (
    <>
      <p>
        Do not poll: the stream sends each entry as it is written. It consists of server-sent events. The{" "}
        <code>id</code> of an entry is its <code>seq</code>. After a lost connection, send the last one as{" "}
        <code>after</code> or as <code>Last-Event-ID</code>, and the stream continues with the next: none is missed,
        none is repeated. A stream counts as one request. Its operation is marked alpha: see Compatibility.
      </p>
      <EventTable />
      <ReferenceTable
        caption="Fields of progress, which is null while nothing is in progress"
        head={["Field", "Content"]}
      >
        {Object.entries(Progress.shape).map(([name, schema]) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>{codeWords(schema.description ?? "")}</td>
          </tr>
        ))}
      </ReferenceTable>
      <SampleTabs title="Follow a run to its end" samples={followEntries(base)} />
    </>
  );
}
