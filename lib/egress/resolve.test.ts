import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf } from "./proxy-under-test.fixture.ts";
import { classOf, readHost, readPermittedPairs, readTarget, resolveTarget } from "./resolve.ts";

const pairsOf = (text: string) => {
  const read = readPermittedPairs(text);
  return "pairs" in read ? read.pairs : new Set<string>();
};

test("a host has one normal form, however it is written", () => {
  const forms =
    "127.0.0.2 127.2 2130706434 0x7f000002 0x7f.2 0177.0.0.2 017700000002 127.0.0.2. [::ffff:127.0.0.2] ::FFFF:7f00:2";
  for (const form of forms.split(" ")) assert.equal(readHost(form), "127.0.0.2", form);
  assert.equal(readHost("API.Example.COM."), "api.example.com");
  assert.equal(readHost("[0:0:0:0:0:0:0:1]"), "::1");
  for (const wrong of [
    "",
    "a b",
    "a/b",
    "a@b",
    "a:80",
    "[::1",
    "1.2.3.4.5",
    "256.1.1.1",
    "a%2eb",
    "a\tb",
    "a#b",
    "é.test",
    "a..b",
    ".a",
    "a..",
    "-x.test",
    "x-.test",
    "xn--",
    `${"a".repeat(64)}.test`,
  ]) {
    assert.equal(readHost(wrong), null, wrong);
  }
});

test("a target has a host and a port from 1 to 65535", () => {
  assert.deepEqual(readTarget("[::1]:443"), { host: "::1", port: 443 });
  assert.deepEqual(readTarget("a.test", 80), { host: "a.test", port: 80 });
  for (const wrong of [
    "a.test",
    "a.test:0",
    "a.test:65536",
    "a.test:080808",
    "::1:443",
    "a.test:443/x",
    "u@a.test:443",
    ":1",
  ]) {
    assert.equal(readTarget(wrong), null, wrong);
  }
});

test("addresses that hand out credentials are a separate class, in every form", () => {
  const metadata =
    "169.254.169.254 ::ffff:169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254";
  for (const address of metadata.split(" ")) assert.equal(classOf(address), "metadata", address);
  for (const address of "127.0.0.1 ::1 10.1.1.1 fe80::1 fd12::1 0.0.0.0 :: 64:ff9b::a9fe:a9fe".split(" ")) {
    assert.equal(classOf(address), "private", address);
  }
  for (const address of ["8.8.8.8", "2606:4700::1111"]) assert.equal(classOf(address), "public", address);
});

test("a private address is dialed only for the exact permitted pair, a metadata address never", async () => {
  const find = namesOf({
    "models.corp": () => ["10.0.0.5"],
    "both.test": () => ["10.0.0.5", "8.8.8.8", "::1"],
    "evil.test": () => ["169.254.169.254", "10.0.0.5"],
    "linked.test": () => ["fe80::1", "0.0.0.0", "224.0.0.1"],
  });
  const permitted = pairsOf("models.corp:8000, 10.0.0.5:9000, evil.test:80, linked.test:80, localhost:1");
  const looked = async (host: string, port: number) => {
    const resolved = await resolveTarget({ host, port }, permitted, find);
    return "denied" in resolved ? resolved.denied : resolved.addresses.map(({ address }) => address);
  };
  assert.deepEqual(await looked("models.corp", 8000), ["10.0.0.5"]);
  assert.equal(await looked("models.corp", 8001), "private");
  assert.deepEqual(await looked("10.0.0.5", 9000), ["10.0.0.5"]);
  assert.equal(await looked("10.0.0.5", 8000), "private");
  assert.deepEqual(await looked("both.test", 443), ["8.8.8.8"]);
  assert.deepEqual(await looked("evil.test", 80), ["10.0.0.5"]);
  assert.equal(await looked("evil.test", 81), "metadata");
  assert.equal(await looked("linked.test", 80), "private");
  assert.equal(await looked("metadata.google.internal", 80), "metadata");
  assert.equal(await looked("a.localhost", 80), "private");
  assert.equal(await looked("nowhere.test", 80), "not_found");
});

test("a pair that cannot be permitted is reported", () => {
  for (const wrong of [
    "models.corp",
    "10.0.0.0/8:80",
    "*:80",
    "169.254.169.254:80",
    "metadata:80",
    "[fe80::1]:80",
    "a:0",
    "0.0.0.0:80",
    "10.0.5:80",
    "a..b:80",
  ]) {
    assert.deepEqual(readPermittedPairs(`models.corp:1, ${wrong}`), { unreadable: wrong });
  }
});
