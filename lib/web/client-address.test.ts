import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { test } from "node:test";
import { readProxies } from "#lib/trusted-proxies.ts";
import { clientAddress } from "./client-address.ts";

const nobody = new BlockList();

function trusting(text: string): BlockList {
  const read = readProxies(text);
  assert.ok("proxies" in read);
  return read.proxies;
}

test("without trusted proxies the connection's address counts, whatever was forwarded", () => {
  assert.equal(clientAddress("192.0.2.7", "203.0.113.9", nobody), "192.0.2.7");
  assert.equal(clientAddress("::ffff:192.0.2.7", "203.0.113.9", nobody), "192.0.2.7");
  assert.equal(clientAddress(undefined, "203.0.113.9", nobody), null);
});

test("IPv6 counts by its 64-bit network, however it is written", () => {
  const networks = ["2001:db8:0:1::5", "2001:DB8::1:0:0:0:6", "2001:0db8:0000:0001:ffff::", "2001:db8:0:1::192.0.2.1"];
  for (const address of networks) assert.equal(clientAddress(address, undefined, nobody), "2001:db8:0:1::/64", address);
  assert.equal(clientAddress("::1", undefined, nobody), "0:0:0:0::/64");
  assert.equal(clientAddress("fe80::1%eth0", undefined, nobody), "fe80:0:0:0::/64");
});

test("behind trusted proxies the nearest address that is not theirs counts, read from the right", () => {
  const proxies = trusting("10.0.0.0/8, 192.0.2.1, fd00::/8");
  const cases: [remote: string, forwarded: string | string[] | undefined, expected: string][] = [
    ["10.1.2.3", "203.0.113.9", "203.0.113.9"],
    ["::ffff:10.1.2.3", "203.0.113.9", "203.0.113.9"],
    ["fd00::1", "2001:db8::1", "2001:db8:0:0::/64"],
    // A client may write what it likes to the left of what the proxies add.
    ["10.1.2.3", "1.1.1.1, 203.0.113.9, 192.0.2.1", "203.0.113.9"],
    ["10.1.2.3", ["1.1.1.1", "203.0.113.9, 10.9.9.9"], "203.0.113.9"],
    ["10.1.2.3", "203.0.113.9:4711", "203.0.113.9"],
    ["10.1.2.3", "[2001:db8::1]:4711", "2001:db8:0:0::/64"],
    // An invalid address ends the list: the last valid one counts.
    ["10.1.2.3", "203.0.113.9, unknown", "10.1.2.3"],
    ["10.1.2.3", "203.0.113.9, , 10.2.2.2", "10.2.2.2"],
    ["10.1.2.3", undefined, "10.1.2.3"],
    ["10.1.2.3", "10.4.4.4, 10.5.5.5", "10.4.4.4"],
    ["203.0.113.77", "198.51.100.1", "203.0.113.77"],
  ];
  for (const [remote, forwarded, expected] of cases) {
    assert.equal(clientAddress(remote, forwarded, proxies), expected, `${remote} for ${forwarded}`);
  }
});

test("a list of proxies reports its first invalid word", () => {
  assert.ok("proxies" in readProxies(""));
  assert.ok("proxies" in readProxies(" 127.0.0.1 , ::1/128,"));
  for (const word of ["proxy.example", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/-1"]) {
    assert.deepEqual(readProxies(`127.0.0.1, ${word}`), { unreadable: word });
  }
});
