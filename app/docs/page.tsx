import type { Metadata } from "next";
import { headers } from "next/headers";
import Link from "next/link";
import type { ReactNode } from "react";
import { Mark } from "#components/shell/mark.tsx";
import { compatibilityPromise } from "#lib/contract/compatibility.ts";
import { type ApiWords, describeApi } from "./api-description.ts";
import { FieldsTable } from "./fields-table.tsx";
import { McpGuide } from "./mcp-guide.tsx";
import { OperationSection } from "./operation-section.tsx";
import { RateGuide } from "./rate-guide.tsx";
import {
  ErrorTable,
  EventTable,
  MessageTypeTable,
  RunActTable,
  ScopeTable,
  StatusTable,
} from "./reference-sections.tsx";
import { WebhookGuide } from "./webhook-guide.tsx";

export const metadata: Metadata = { title: "API" };

const guides = [
  { id: "authentication", title: "Authentication" },
  { id: "errors", title: "Errors" },
  { id: "rate-limits", title: "Rate limits" },
  { id: "lists", title: "Lists" },
  { id: "runs", title: "Statuses of a run" },
  { id: "entries", title: "Log entries" },
  { id: "stream", title: "Live stream" },
  { id: "mcp", title: "MCP server" },
  { id: "webhooks", title: "Webhooks" },
  { id: "metrics", title: "Metrics" },
  { id: "compatibility", title: "Compatibility" },
];

// The contract does not change while the service runs.
let described: ApiWords | undefined;

/** The API in words: drawn from the same contract that routes and clients are made of. Works without scripts. */
export default async function ApiPage() {
  described ??= describeApi();
  const { tags, types } = described;
  const request = await headers();
  const scheme = request.get("x-forwarded-proto") === "https" ? "https" : "http";
  const origin = `${scheme}://${request.get("host") ?? "localhost:3000"}`;
  return (
    <>
      <header className="sticky top-0 z-10 flex h-12 items-center gap-2.5 border-border border-b bg-background px-4 md:px-6">
        <Link href="/runs" className="flex items-center gap-2.5 font-semibold">
          <Mark className="size-4" /> Errand
        </Link>
        <span className="text-muted-foreground">API</span>
        <a href="/v1/openapi.json" className="ml-auto text-[13px] text-link underline-offset-4 hover:underline">
          OpenAPI 3.1
        </a>
      </header>
      <div className="mx-auto flex max-w-300 gap-10 px-4 md:px-6">
        <Contents api={described} />
        <main className="grid min-w-0 max-w-205 flex-1 gap-12 py-8">
          <Guides origin={origin} />
          {tags.map(({ tag, operations }) => (
            <div key={tag} data-api-parts className="grid gap-10">
              <h2 id={anchor(tag)} className="scroll-mt-16 border-border border-b pb-2 font-semibold text-lg/7">
                {tag}
              </h2>
              {operations.map((words) => (
                <OperationSection key={words.operation.id} words={words} origin={origin} />
              ))}
            </div>
          ))}
          <div data-api-parts className="grid gap-10">
            <h2 id="types" className="scroll-mt-16 border-border border-b pb-2 font-semibold text-lg/7">
              Types
            </h2>
            {types.map(({ name, fields }) => (
              <section key={name} id={`type-${name}`} aria-label={name} className="scroll-mt-16">
                <FieldsTable caption={name} fields={fields} showRequired={/^(Create|Edit|Resume|Answer)/.test(name)} />
              </section>
            ))}
          </div>
        </main>
      </div>
    </>
  );
}

function Guides({ origin }: { origin: string }) {
  return (
    <div className="grid gap-8">
      <div className="grid gap-2">
        <h1 className="font-semibold text-xl/7">The API of Errand</h1>
        <p>
          Everything the dashboard does, it does by this API. Bodies and answers are JSON unless said otherwise;
          instants are ISO 8601 in UTC with milliseconds.
        </p>
      </div>
      <Guide id="authentication">
        <p>
          Send <code>Authorization: Bearer &lt;token&gt;</code>. Tokens are made under{" "}
          <Link href="/settings/tokens" className="text-link underline underline-offset-4">
            Settings
          </Link>
          , or by <code>npm run --silent errand -- token create --name NAME</code>. A token belongs to one organization
          and may do what its role and its scopes allow, never more than the person it acts for. Without the scope{" "}
          <code>org:admin</code> it can see and revoke only itself and cannot create tokens.
        </p>
        <ScopeTable />
        <p>
          What a role may do to a run depends on whose it is: a run is your own where you started it, a queued message
          where you wrote it, a link where you made it.
        </p>
        <RunActTable />
      </Guide>
      <Guide id="errors">
        <p>
          An error is an <code>application/problem+json</code> with a <code>code</code>, a <code>detail</code> to be
          read by a person, and the <code>request_id</code> by which an operator finds it; invalid fields are listed in{" "}
          <code>errors</code>. What is not there and what is not yours to see answer alike: 404.
        </p>
        <ErrorTable />
      </Guide>
      <Guide id="rate-limits">
        <RateGuide />
      </Guide>
      <Guide id="lists">
        <p>
          Lists take <code>skip</code> and <code>limit</code> (or <code>page</code> and <code>size</code>) and answer{" "}
          <code>items</code>, <code>total</code>, <code>page</code>, <code>size</code>, <code>pages</code>.
        </p>
      </Guide>
      <Guide id="runs">
        <StatusTable />
      </Guide>
      <Guide id="entries">
        <p>
          Each step of a run is one entry, numbered by <code>seq</code> from 1 without a gap, and never changes. All its
          fields are always there, null where empty.
        </p>
        <MessageTypeTable />
      </Guide>
      <Guide id="stream">
        <p>
          The stream is made of server-sent events and resumes after <code>Last-Event-ID</code> or <code>after</code>.
        </p>
        <EventTable />
      </Guide>
      <Guide id="mcp">
        <McpGuide origin={origin} />
      </Guide>
      <Guide id="webhooks">
        <WebhookGuide />
      </Guide>
      <Guide id="metrics">
        <p>
          <code>GET /metrics</code> answers in Prometheus&rsquo; text format: runs by status, the queue and its oldest
          run, engines and the runs that they work on, log entries, index lag, requests and their durations by rate
          class, refusals, open event streams, memory, processor time and event-loop delay. Requests from the machine
          itself need no token unless a proxy forwarded them; others need one with <code>org:admin</code>. The numbers
          are of all organizations together.
        </p>
      </Guide>
      <Guide id="compatibility">
        {compatibilityPromise.map((paragraph) => (
          <p key={paragraph}>{codeWords(paragraph)}</p>
        ))}
      </Guide>
    </div>
  );
}

/** The text with what stands between backticks as code. */
function codeWords(text: string): ReactNode[] {
  // Every other part stood between backticks.
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}

function Guide({ id, children }: { id: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-16 gap-3">
      <h2 id={`${id}-title`} className="font-semibold text-base/6">
        {guides.find((guide) => guide.id === id)?.title}
      </h2>
      {children}
    </section>
  );
}

function Contents({ api: { tags, types } }: { api: ApiWords }) {
  return (
    <nav
      aria-label="Contents"
      className="sticky top-12 hidden h-[calc(100dvh-48px)] w-56 shrink-0 overflow-y-auto py-8 text-[13px] lg:block"
    >
      <ContentsGroup title="Guide" links={guides.map(({ id, title }) => ({ href: `#${id}`, label: title }))} />
      {tags.map(({ tag, operations }) => (
        <ContentsGroup
          key={tag}
          title={tag}
          links={operations.map(({ operation }) => ({ href: `#${operation.id}`, label: operation.summary }))}
        />
      ))}
      <ContentsGroup title="Types" links={types.map(({ name }) => ({ href: `#type-${name}`, label: name }))} />
    </nav>
  );
}

function ContentsGroup({ title, links }: { title: string; links: { href: string; label: string }[] }) {
  return (
    <div className="grid gap-1 pb-5">
      <span className="font-medium">{title}</span>
      <ul className="grid gap-1">
        {links.map(({ href, label }) => (
          <li key={href}>
            <a href={href} className="block truncate text-muted-foreground hover:text-foreground">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function anchor(tag: string): string {
  return `tag-${tag.toLowerCase().replace(/\W+/g, "-")}`;
}
