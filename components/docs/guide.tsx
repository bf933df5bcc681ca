import type { ReactNode } from "react";
import { compatibilityPromise } from "#lib/contract/compatibility.ts";
import { codeWords } from "./code-words.tsx";
import { CodegenGuide } from "./codegen-guide.tsx";
import { DocsLink } from "./docs-link.tsx";
import { GitGuide } from "./git-guide.tsx";
import { ConditionalGuide, RepeatingGuide, StartGuide } from "./guide-basics.tsx";
import { PagingGuide, StreamGuide } from "./guide-reading.tsx";
import { quickStart } from "./guide-samples.ts";
import { type GuideSection, guideSections } from "./guide-sections.ts";
import { LimitsGuide } from "./limits-guide.tsx";
import { McpGuide } from "./mcp-guide.tsx";
import { OperationsIndex } from "./operations-index.tsx";
import { RateGuide } from "./rate-guide.tsx";
import { type Docs, organizationBase } from "./read-docs.ts";
import { ErrorTable, MessageTypeTable, RunActTable, ScopeTable, StatusTable } from "./reference-sections.tsx";
import { SampleTabs } from "./sample-tabs.tsx";
import { WebhookGuide } from "./webhook-guide.tsx";

/** The API as a whole: what applies to all operations, and where each of them is described. */
export function Guide({ docs }: { docs: Docs }) {
  const base = organizationBase(docs);
  return (
    <div className="grid max-w-205 gap-12">
      <div className="grid gap-2">
        <h1 className="font-semibold text-xl/7">API reference</h1>
        <p>
          You can do everything the dashboard does with this API. Requests and responses are JSON unless stated
          otherwise. Times are ISO 8601 in UTC with milliseconds.
        </p>
      </div>
      <Part id="start">
        <StartGuide />
        <SampleTabs title="Start a run and read its result" samples={quickStart(base)} />
      </Part>
      <Part id="authentication">
        <p>
          Send <code>Authorization: Bearer &lt;token&gt;</code>. Create tokens under{" "}
          <DocsLink href="/settings/tokens">Settings</DocsLink>, or with{" "}
          <code>npm run --silent errand -- token create --name NAME</code> (with the role <code>member</code>; webhooks
          and settings need <code>--role admin</code>). A token belongs to one organization. It can do what its role and
          its scopes allow, and never more than the person it acts for. Without the scope <code>org:admin</code> a token
          sees and revokes only itself and cannot create others.
        </p>
        <p>
          Pages of other origins may use the API from a browser if <code>ERRAND_CORS_ORIGINS</code> names them: with a
          token or a share link, never with the dashboard&rsquo;s cookie.
        </p>
        <ScopeTable />
      </Part>
      <Part id="permissions">
        <p>
          What a role may do to a run depends on whose run it is. A run is your own if you started it. A question is
          also yours if the agent is working on your message. A queued message is yours if you wrote it, and a share
          link if you created it.
        </p>
        <RunActTable />
      </Part>
      <Part id="lists">
        <PagingGuide base={base} />
      </Part>
      <Part id="stream">
        <StreamGuide base={base} />
      </Part>
      <Part id="runs">
        <StatusTable />
      </Part>
      <Part id="entries">
        <p>
          Each step of a run is one entry. Entries are numbered by <code>seq</code> from 1 without gaps and never
          change. All fields are always present, null where empty. What a person wrote is the <code>observation</code>{" "}
          of a <code>USER_MESSAGE</code>; the answer is that of a <code>FINAL_ANSWER</code>. If the checkout has work
          that the branch has not, <code>work_left_out</code> of the run counts it, and an <code>ERROR</code> with the
          code <code>work_left_out</code> names it.
        </p>
        <MessageTypeTable />
      </Part>
      <Part id="errors">
        <p>
          An error is an <code>application/problem+json</code> with a <code>code</code> for programs, a{" "}
          <code>detail</code> for people, and a <code>request_id</code> by which the operator finds it in the log.
          Invalid fields are listed in <code>errors</code>. Something that does not exist and something you may not see
          give the same 404; an organization you do not belong to gives 403.
        </p>
        <p>
          A parameter or field that an operation does not know gives a 400 that names it: otherwise a misspelt name
          would be lost silently. Only from tokens with <code>status_style: reference</code>, on operations that the
          reference service has too, such input is ignored, and <code>X-Errand-Ignored</code> names it.
        </p>
        <p>
          503 means that nothing was changed: the store cannot be used, or its disk is full. Repeat the request after
          the seconds in <code>Retry-After</code>, or after a few; while Errand restarts, connections are refused, which
          means the same. Without an engine, requests are accepted, and runs stay queued; <code>/readyz</code> says so.
        </p>
        <ErrorTable />
      </Part>
      <Part id="idempotency">
        <RepeatingGuide />
      </Part>
      <Part id="conditional">
        <ConditionalGuide />
      </Part>
      <Part id="rate-limits">
        <RateGuide api={docs.api} />
      </Part>
      <Part id="limits">
        <LimitsGuide runLimits={docs.api.runLimits} />
      </Part>
      <Part id="webhooks">
        <WebhookGuide />
      </Part>
      <Part id="mcp">
        <McpGuide origin={docs.origin} />
      </Part>
      <Part id="git">
        <GitGuide origin={docs.origin} orgId={docs.reader?.organizationId ?? 1} />
      </Part>
      <Part id="metrics">
        <p>
          <code>GET /metrics</code> responds in the Prometheus text format: runs by status, the queue and its oldest
          run, engines and the runs they are working on, log entries, index lag, requests and their durations by rate
          class, rate-limited requests, open event streams, memory, CPU time and event-loop delay. Requests from the
          machine itself need no token unless a proxy forwarded them; others need one with <code>org:admin</code>. The
          numbers cover all organizations.
        </p>
      </Part>
      <Part id="codegen">
        <CodegenGuide />
      </Part>
      <Part id="compatibility">
        {compatibilityPromise.map((paragraph) => (
          <p key={paragraph}>{codeWords(paragraph)}</p>
        ))}
        <p>
          Changes are listed in the <DocsLink href="/docs/changelog">changelog</DocsLink>.
        </p>
      </Part>
      <Part id="operations">
        <OperationsIndex api={docs.api} />
      </Part>
    </div>
  );
}

function Part({ id, children }: { id: GuideSection; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid min-w-0 scroll-mt-16 gap-3">
      <h2 id={`${id}-title`} className="border-border border-b pb-1.5 font-semibold text-base/6">
        {guideSections.find((section) => section.id === id)?.title}
      </h2>
      {children}
    </section>
  );
}
