import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { countOf } from "#lib/test-counts.fixture.ts";
import { ask, connectText, getText, listening, namesOf, proxyUnderTest, serving } from "./proxy-under-test.fixture.ts";

/** Connections to try; every seventh must arrive, which shows that the test itself works. */
const count = countOf({ short: 1200, long: 10_000 });

test("no name, form of an address, port or disguise leads to a denied address", async (t) => {
  const reached: string[] = [];
  const trap = createServer((socket) => {
    reached.push(`${socket.localAddress}:${socket.localPort}`);
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\ntrapped");
  });
  // Listens on every address of the machine, IPv6 too, so that every wrong connection arrives.
  const port = await listening(t, trap, "::");
  const good = await serving(t, "127.0.0.3", (_, response) => void response.end("arrived"));
  let look = 0;
  const always =
    (...addresses: string[]) =>
    () =>
      addresses;
  const find = namesOf({
    "good.test": always("127.0.0.3"),
    "two.trap.test": always("127.0.0.2"),
    "six.trap.test": always("::1", "::ffff:127.0.0.2"),
    "many.trap.test": always("169.254.169.254", "0.0.0.0", "127.0.0.2", "::"),
    // Another address at each lookup: the checked address must be the one dialed.
    "rebind.trap.test": () => [look++ % 2 === 0 ? "127.0.0.2" : "169.254.169.254"],
    "mapped.trap.test": always("64:ff9b::7f00:2", "2002:7f00:2::1", "::ffff:7f00:2", "fe80::1"),
  });
  const names = ["two", "six", "many", "rebind", "mapped"].map((name) => `${name}.trap.test`);
  const forms =
    "127.0.0.2 127.2 2130706434 0x7f000002 0x7f.0.0.2 0177.0.0.2 127.0.0.2. 0.0.0.0 0 localhost LOCALHOST. a.localhost [::1] [::] [::ffff:127.0.0.2] [::ffff:7f00:2] [0:0:0:0:0:ffff:7f00:0002] [::127.0.0.2] [64:ff9b::7f00:2] 169.254.169.254 metadata.google.internal [fd00:ec2::254]";
  const hosts = [...names, ...forms.split(" ")];
  const rules = [...hosts, "*.trap.test", "127.0.0.2", "::1", "0.0.0.0", "::"].flatMap((host) =>
    [port, null].map((of) => ({ host: host.replace(/^\[|\]$/g, ""), port: of })),
  );
  const permitted = `good.test:${good}`;
  const allowed = await proxyUnderTest(t, { find, permitted, rules: { mode: "allowed", rules } });
  const open = await proxyUnderTest(t, { find, permitted, rules: { mode: "open", rules } });

  const host = `good.test:${good}`;
  const disguises = (name: string) => [
    connectText(`${name}:${port}`),
    getText(`http://${name}:${port}/`),
    `CONNECT ${name}:${port}@${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    getText(`http://${host}@${name}:${port}/`, { Host: host }),
    getText(`http://${name}:${port}\\@${host}/`, { Host: host }),
    getText(`http://${host}/`, { Host: `${name}:${port}` }),
    getText(`http://${name}:${port}/`, { Host: host }),
    `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nHost: ${name}:${port}\r\nConnection: close\r\n\r\n`,
    // A second request in the body of the first.
    `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${getText(`http://${name}:${port}/`)}`,
    // And after it, on the same connection.
    `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n${getText(`http://${name}:${port}/`)}`,
    connectText(`${name}:22`),
    connectText(`good.test:${port}`),
    connectText("good.test:22"),
  ];
  const attempts = hosts.flatMap(disguises);
  let arrived = 0;
  const wanted = Math.ceil(count / 7);
  for (let at = 0; at < count; at++) {
    const proxy = at % 2 === 0 ? allowed : open;
    if (at % 7 === 0) {
      const answer = await ask(proxy.socket, getText(`http://${host}/`));
      if (answer.status === 200 && answer.body.includes("arrived")) arrived++;
      continue;
    }
    const text = attempts[at % attempts.length] ?? "";
    const answer = await ask(proxy.socket, text);
    assert.doesNotMatch(answer.body, /trapped/, text);
    if (text.startsWith("CONNECT")) assert.notEqual(answer.status, 200, text);
  }
  assert.deepEqual(reached, []);
  assert.equal(arrived, wanted);
  t.diagnostic(`${count} connections, ${attempts.length} kinds, 0 at a denied address`);
});

test("the address looked up is the one dialed, with one lookup per connection", async (t) => {
  const port = await serving(t, "127.0.0.3", (_, response) => void response.end("three"));
  await serving(t, "127.0.0.4", (_, response) => void response.end("four"), port);
  let look = 0;
  const find = namesOf({ "moving.test": () => [look++ % 2 === 0 ? "127.0.0.3" : "127.0.0.4"] });
  const { socket } = await proxyUnderTest(t, { find, permitted: `moving.test:${port}` });
  for (let at = 0; at < 20; at++) {
    const answer = await ask(socket, getText(`http://moving.test:${port}/`));
    assert.match(answer.body, at % 2 === 0 ? /three/ : /four/);
    assert.equal(find.asked.length, at + 1);
  }
});
