import type { ReactNode } from "react";
import type { Field, TypeWords } from "./schema-fields.ts";

/** Fields of one object or one part of a request. */
export function FieldsTable({ caption, fields, showRequired }: FieldsTableProps) {
  if (fields.length === 0) return null;
  return (
    <ReferenceTable caption={caption} head={["Name", "Type", "Meaning"]}>
      {fields.map((field) => (
        <tr key={field.name}>
          <Cell>
            <code>{field.name}</code>
            {showRequired && field.isRequired && <span className="block text-destructive text-xs">required</span>}
          </Cell>
          <Cell>
            <Type type={field.type} />
          </Cell>
          <Cell>
            {field.description}
            {field.rules.map((rule) => (
              <span key={rule} className="block text-[13px] text-muted-foreground">
                {rule}
              </span>
            ))}
          </Cell>
        </tr>
      ))}
    </ReferenceTable>
  );
}

type FieldsTableProps = {
  caption: string;
  fields: Field[];
  /** For what is sent; in an answer everything is there. */
  showRequired: boolean;
};

/** A type, leading to its description where it has one. */
export function Type({ type }: { type: TypeWords }) {
  if (type.link === null) return <span className="text-muted-foreground">{type.text}</span>;
  return (
    <a href={`#type-${type.link}`} className="text-link underline underline-offset-4">
      {type.text}
    </a>
  );
}

/** A table of the reference. On narrow screens its cells stand under each other. */
export function ReferenceTable({ caption, head, children }: { caption: string; head: string[]; children: ReactNode }) {
  return (
    <table className="w-full border-collapse text-left max-sm:[&_td]:block max-sm:[&_td]:border-0 max-sm:[&_td]:py-0.5 max-sm:[&_tr]:block max-sm:[&_tr]:border-border max-sm:[&_tr]:border-t max-sm:[&_tr]:py-2">
      <caption className="pb-1.5 text-left font-medium text-[13px]">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr>
          {head.map((title) => (
            <th key={title} scope="col" className="py-1 pr-4 font-normal text-muted-foreground text-xs">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

export function Cell({ children }: { children: ReactNode }) {
  return <td className="break-words border-border border-t py-1.5 pr-4 align-top">{children}</td>;
}
