import type { TagWords } from "./api-description.ts";
import { FieldsTable, Type } from "./fields-table.tsx";
import { OperationSection } from "./operation-section.tsx";
import type { Docs } from "./read-docs.ts";

/** All operations of a tag, and the types they use. */
export function TagReference({ tag: { tag, about, operations, types }, docs }: { tag: TagWords; docs: Docs }) {
  return (
    <div data-api-parts className="grid min-w-0 gap-10">
      <div className="grid gap-2">
        <h1 className="font-semibold text-xl/7">{tag}</h1>
        <p className="text-muted-foreground">{about}.</p>
      </div>
      {operations.map((words) => (
        <OperationSection key={words.operation.id} words={words} docs={docs} />
      ))}
      {types.length > 0 && (
        <div data-api-parts className="grid min-w-0 max-w-205 gap-10 border-border border-t pt-8">
          <h2 id="types" className="scroll-mt-16 font-semibold text-base/6">
            Types
          </h2>
          {types.map(({ name, base, fields }) => (
            <section key={name} id={`type-${name}`} aria-label={name} className="grid min-w-0 scroll-mt-16 gap-2">
              {base !== null && (
                <p>
                  <code>{name}</code> has all fields of <Type type={{ text: base, link: base }} />, and these:
                </p>
              )}
              <FieldsTable caption={name} fields={fields} showRequired={false} />
            </section>
          ))}
        </div>
      )}
    </div>
  );
}
