import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { after, before, test } from "node:test";
import { ApiUnderTest } from "./api-under-test.ts";
import { sendTo } from "./plain-request.fixture.ts";

let api: ApiUnderTest;

before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

test("closing ends event streams and finishes responses in progress", async () => {
  const { run, lease } = await api.liveRun(1);
  const release = Promise.withResolvers<void>();
  const front = await api.serve({
    next: async (_, response) => {
      await release.promise;
      response.end("finished");
    },
  });
  const stream = httpRequest({
    host: "127.0.0.1",
    port: front.port,
    path: `/v1/organizations/1/agent/run/${run.id}/logs/stream`,
    headers: { authorization: `Bearer ${await api.token()}` },
  });
  stream.end();
  const [streaming] = await once(stream, "response");
  await once(streaming, "data");
  const slow = sendTo(front.port, "/slow");
  await sendTo(front.port, "/healthz");
  const closed = front.close();
  streaming.resume();
  await once(streaming, "end");
  release.resolve();
  assert.equal((await slow).text, "finished");
  await closed;
  await assert.rejects(sendTo(front.port, "/healthz"), { code: "ECONNREFUSED" });
  await api.finish(lease);
});

test("a taken port is reported in one line", async () => {
  const front = await api.serve();
  await assert.rejects(api.serve({ port: front.port }), {
    name: "ListenError",
    message: `Port ${front.port} on 127.0.0.1 is taken. Stop what uses it, or choose another with PORT.`,
  });
  await front.close();
});
