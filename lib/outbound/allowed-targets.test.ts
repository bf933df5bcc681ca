import assert from "node:assert/strict";
import { test } from "node:test";
import { allowedOf } from "./allowed.fixture.ts";
import { isAllowedAddress, isAllowedName, nothingAllowed, readAllowedTargets } from "./allowed-targets.ts";

test("only public addresses may be called, however a private one is written", () => {
  const private_ = `127.0.0.1 127.255.255.254 0.0.0.0 10.0.0.1 100.64.0.1 100.127.255.255 169.254.169.254 172.16.0.1 172.31.9.9
    192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.251 239.255.255.250 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.1.2.3 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1 100::1
    fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2001:db8::1 2001::1 2001:2::1 2002:7f00:1::1 3fff::1 5f00::1`;
  for (const address of private_.split(/\s+/)) {
    assert.equal(isAllowedAddress(nothingAllowed, address), false, address);
  }
  for (const address of ["8.8.8.8", "100.63.255.255", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"]) {
    assert.equal(isAllowedAddress(nothingAllowed, address), true, address);
  }
  for (const word of ["", "localhost", "1.2.3", "0x7f000001", "[::1]"]) {
    assert.equal(isAllowedAddress(nothingAllowed, word), false, word);
  }
});

test("targets named in the setting are allowed, and nothing else", () => {
  const allowed = allowedOf(" 10.1.0.0/16 , ::1, Git.corp,*.hooks.corp ,");
  const addresses = ["10.1.255.1", "10.2.0.1", "::1", "::2", "::ffff:10.1.0.9"];
  assert.deepEqual(
    addresses.map((address) => isAllowedAddress(allowed, address)),
    [true, false, true, false, true],
  );
  const names = [
    "git.corp",
    "GIT.CORP.",
    "x.git.corp",
    "a.hooks.corp",
    "a.b.hooks.corp",
    "hooks.corp",
    "badhooks.corp",
  ];
  assert.deepEqual(
    names.map((name) => isAllowedName(allowed, name)),
    [true, true, false, true, true, false, false],
  );
});

test("a word that is neither network, address nor name is reported", () => {
  for (const word of [
    "10.0.0.0/33",
    "300.1.1.1",
    "10.0.0",
    "https://x.y",
    "x y",
    "a..b",
    "*",
    "*.",
    "::1/129",
    "x:80",
    "-a",
    `*.${"a.".repeat(127)}a`,
  ]) {
    assert.deepEqual(readAllowedTargets(`localhost, ${word}`), { unreadable: word });
  }
});
