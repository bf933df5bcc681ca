import { Fragment, type ReactNode } from "react";
import { codeWords } from "./code-words.tsx";
import type { Field, TypeWords } from "./schema-fields.ts";

/** Fields of one object or one part of a request. */
export function FieldsTable({ caption, fields, showRequired }: FieldsTableProps) {
  if (fields.length === 0) return null;
  return (
    <ReferenceTable caption={caption} head={["Name", "Type", "Meaning"]} className="fields-table">
      {fields.map((field) => (
        <tr key={field.name}>
          <td>
            <code>
              <FieldName name={field.name} />
            </code>
            {showRequired && field.isRequired && <span className="block text-destructive text-xs">required</span>}
          </td>
          <td>
            <Type type={field.type} />
          </td>
          <td>
            {codeWords(field.description)}
            {field.rules.map((rule) => (
              <small key={rule}>{rule}</small>
            ))}
          </td>
        </tr>
      ))}
    </ReferenceTable>
  );
}

/** Names longer than this may break, after a dot or before an underscore. */
const unbrokenMax = 20;

function FieldName({ name }: { name: string }) {
  if (name.length <= unbrokenMax) return name;
  return name.split(/(?<=\.)|(?=_)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never change places.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

type FieldsTableProps = {
  caption: string;
  fields: Field[];
  /** For input only; in a response every field is present. */
  showRequired: boolean;
};

/** A type, linked to its description if it has one. */
export function Type({ type }: { type: TypeWords }) {
  if (type.link === null) return <span className="text-muted-foreground">{type.text}</span>;
  return (
    <a href={`#type-${type.link}`} className="text-link underline underline-offset-4">
      {type.text}
    </a>
  );
}

/** A table of the reference. On narrow screens its cells are stacked. */
export function ReferenceTable({ caption, head, className = "", children }: ReferenceTableProps) {
  return (
    // Its styles are in globals.css: a page has a hundred such tables, in HTML and once more in its data.
    <table className={`reference-table ${className}`}>
      <caption className="pb-1.5 text-left font-medium text-[13px]">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type ReferenceTableProps = { caption: string; head: string[]; className?: string; children: ReactNode };
