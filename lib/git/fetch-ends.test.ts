// Tier: rest
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import type { Front } from "#lib/web/front.ts";
import { sendTo } from "#lib/web/plain-request.fixture.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { basic, client, fetchAddress, mirrored, processesIn, refsOf } from "./mirror-under-test.fixture.ts";

let api: ApiUnderTest;
let front: Front;

before(async () => {
  api = await ApiUnderTest.open();
  front = await api.serve();
});
after(async () => {
  await front.close();
  await api.close();
});

/** Starts to fetch everything, and reads only the beginning. */
async function slowFetch(id: number, commit: string, token: string): Promise<[ClientRequest, IncomingMessage]> {
  const body = `0032want ${commit}\n00000009done\n`;
  const headers = { ...basic(token), "content-type": "application/x-git-upload-pack-request" };
  const path = `/git/1/${id}.git/git-upload-pack`;
  const sent = httpRequest({ host: "127.0.0.1", port: front.port, method: "POST", path, headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  let length = 0;
  response.on("error", () => {});
  const read = (piece: Buffer) => {
    length += piece.length;
    if (length > 10_000) response.off("data", read).pause();
  };
  response.on("data", read);
  while (!response.isPaused()) await wait(20);
  return [sent, response];
}

/** More than the system buffers between the two. */
const large = { "large.bin": randomBytes(40_000_000) };

test("a revoked token ends its fetch within 5 s, even one whose client reads nothing", async (t) => {
  const { id, mirror, commit } = await mirrored(api, join(temporaryFolder(t), "source"), { files: large });
  const made = await api.asked("POST", "/v1/organizations/1/tokens", {
    token: await api.token(),
    body: { name: "fetches" },
  });
  const [sent, response] = await slowFetch(id, commit, String(made.json.token));
  assert.notEqual(processesIn(mirror).length, 0);
  const closed = new Promise((resolve) => response.once("close", resolve));
  const late = new AbortController();
  await api.asked("DELETE", `/v1/organizations/1/tokens/${made.json.id}`, { token: await api.token() });
  const isLate = wait(5000, "late", { signal: late.signal });
  while (processesIn(mirror).length > 0) {
    assert.notEqual(await Promise.race([isLate, wait(50)]), "late");
  }
  late.abort();
  isLate.catch(() => {});
  response.resume();
  await closed;
  assert.equal(response.complete, false, "it does not end as if it were whole");
  sent.destroy();
});

test("a client that leaves ends git's process, and others wait for their turn meanwhile", async (t) => {
  const folder = temporaryFolder(t);
  const { id, mirror, commit } = await mirrored(api, join(folder, "source"), { files: large });
  const token = await api.token();
  const slow = await Promise.all(Array.from({ length: 8 }, () => slowFetch(id, commit, token)));
  const waiting = client(folder, "ls-remote", fetchAddress(front.port, id, token));
  assert.equal(await Promise.race([waiting, wait(300, "waits")]), "waits");
  for (const [sent] of slow) sent.destroy();
  assert.equal((await waiting).code, 0);
  for (let round = 0; processesIn(mirror).length > 0; round += 1) {
    assert.ok(round < 100, "processes are left");
    await wait(100);
  }
});

test("fetches are charged to their token, and failed sign-ins to their address", async (t) => {
  const quotas = { ...rateSettingsDefault.quotas, standard: 4, failed_authentication: 4 };
  const started = new Date();
  const limited = await ApiUnderTest.open({ rates: { ...rateSettingsDefault, quotas }, now: () => started });
  const own = await limited.serve();
  t.after(async () => {
    await own.close();
    await limited.close();
  });
  const { id } = await mirrored(limited, join(temporaryFolder(t), "source"));
  const token = await limited.token();
  const ask = (headers: Record<string, string>) => sendTo(own.port, refsOf(id), { headers });
  const statuses = async (headers: Record<string, string>) => {
    const found: number[] = [];
    for (let index = 0; index < 5; index += 1) found.push((await ask(headers)).status);
    return found;
  };
  assert.deepEqual(await statuses(basic(token)), [200, 200, 200, 200, 429]);
  const refused = await ask(basic(token));
  assert.equal(refused.headers["ratelimit-policy"], '"standard";q=4;w=30');
  assert.ok(Number(refused.headers["retry-after"]) > 0);
  assert.deepEqual(await statuses(basic("errand_wrong")), [401, 401, 401, 401, 429]);
  // A request without credentials is only asked to sign in, as every fetch begins.
  assert.equal((await ask({})).status, 401);
});
