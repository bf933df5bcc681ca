import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatServer, chatToken } from "#lib/chat/chat.fixture.ts";
import { type Linear, openLinear } from "#lib/chat/linear.ts";
import { openSlack, type Slack } from "#lib/chat/slack.ts";
import { slackMessages } from "#lib/chat/slack-text.ts";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import type { Send } from "./call-host.ts";
import { CodeHost, hostToken } from "./code-host.fixture.ts";
import type { Host, HostThread } from "./host.ts";
import { openHost } from "./open-host.ts";
import type { PullHost } from "./pull-host.ts";

/** A call of each kind with a hostile text; null: it sends no text. The compiler asks about every new call. */
type Calls<Of> = { [Call in keyof Required<Of>]: ((of: Of) => Promise<unknown>) | null };

const { signal } = new AbortController();
const hostile = "For @everyone: closes #2 ENG-7\n/close\n\n<!-- rest";
const app = "team/app";
const thread: HostThread = { repository: app, subject: "issue", number: 7, replyTo: null };
const asked = { headBranch: "errand/run-1", baseBranch: "main", title: hostile, body: hostile, draft: false };

const hostCalls: Calls<Host> = {
  ...{ pulls: null, identity: null, gitToken: null, unauthorizedHint: null, person: null, permission: null },
  ...{ pull: null, review: null, findReply: null },
  reply: (host) => host.reply(thread, hostile, signal),
};
const pullCalls: Calls<PullHost> = {
  ...{ repository: null, findPull: null, getPull: null, requestReview: null, checks: null, checkLog: null },
  openPull: (pulls) => pulls.openPull(app, asked, signal),
  updatePull: async (pulls) => {
    const number = (await pulls.findPull(app, asked.headBranch, signal))?.number ?? 0;
    await pulls.updatePull(app, number, { title: `Now ${hostile}`, body: `Now ${hostile}` }, signal);
  },
};
const linearCalls: Calls<Linear> = {
  identity: null,
  comment: (linear) => linear.comment({ issueId: "i", parentId: null }, hostile, crypto.randomUUID(), signal),
};
const slackCalls: Calls<Slack> = {
  ...{ identity: null, find: null },
  post: (slack) => slack.post({ channel: "C", threadTs: null }, slackMessages(hostile).join("\n"), "k", signal),
};

/** Makes the calls one after the other, and returns the bodies of their requests. */
async function bodiesOf<Of>(calls: Calls<Of>, open: (send: Send) => Of): Promise<string[]> {
  const { send } = createOutbound(allowedOf("127.0.0.0/8"));
  const bodies: string[] = [];
  const of = open((request) => {
    if (request.body !== undefined) bodies.push(request.body);
    return send(request);
  });
  for (const call of Object.values<Calls<Of>[keyof Of]>(calls)) await call?.(of);
  return bodies;
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Object.values(Object(value)).flatMap(textsIn);

function assertQuiet(bodies: string[], count: number, acts: RegExp): void {
  const texts = bodies.flatMap((body) => textsIn(JSON.parse(body))).filter((text) => text.includes("everyone"));
  assert.equal(texts.length, count);
  for (const text of texts) assert.doesNotMatch(text, acts);
}

for (const kind of ["github", "gitlab", "forgejo"] as const) {
  test(`no text that is sent to ${kind} does anything there`, async (t) => {
    const server = await CodeHost.open(kind);
    t.after(() => server.close());
    await server.createRepository(app);
    await server.pushAs("ada", app, asked.headBranch, { "b.txt": "two\n" });
    const credential = { kind: "token", token: hostToken } as const;
    const open = (send: Send) => openHost(kind, { baseUrl: server.baseUrl, credential, send });
    assertQuiet(await bodiesOf(hostCalls, open), 1, /@everyone|closes #|#2|^\/close|<!--/m);
    // Two titles and two texts.
    assertQuiet(await bodiesOf(pullCalls, (send) => open(send).pulls), 4, /@everyone|closes #|#2|^\/close/m);
    for (const { title } of server.pulls.values()) assert.doesNotMatch(title ?? "", /ENG-7/);
  });
}

test("no text that is sent to Linear or Slack does anything there", async (t) => {
  const chat = await ChatServer.open();
  t.after(() => chat.close());
  const open = { baseUrl: chat.baseUrl, token: chatToken };
  assertQuiet(
    await bodiesOf(linearCalls, (send) => openLinear({ ...open, send })),
    1,
    /@everyone|closes #|^\/close|<!--/m,
  );
  assertQuiet(await bodiesOf(slackCalls, (send) => openSlack({ ...open, send })), 1, /@everyone|<!/);
});
