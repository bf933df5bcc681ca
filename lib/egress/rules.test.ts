import assert from "node:assert/strict";
import { test } from "node:test";
import { type EgressRule, refusalOf, registryRules, ruleOfAddress } from "./rules.ts";

const rules: EgressRule[] = [
  { host: "api.test", port: null },
  { host: "*.cdn.test", port: 443 },
  { host: "db.test", port: 5432 },
];
const permitted = new Set(["models.corp:8000"]);
const judged = (mode: "off" | "allowed" | "open", target: string) => {
  const [host = "", port = ""] = target.split(":");
  return refusalOf({ mode, rules, permitted }, { host, port: Number(port) });
};

test("when hosts must be allowed, only a rule's host and port are reached", () => {
  const answers = {
    "api.test:443": null,
    "api.test:80": null,
    "api.test:22": "port_not_allowed",
    "x.api.test:443": "host_not_allowed",
    "a.cdn.test:443": null,
    "a.b.cdn.test:443": null,
    "a.cdn.test:80": "port_not_allowed",
    "cdn.test:443": "host_not_allowed",
    "evilcdn.test:443": "host_not_allowed",
    "db.test:5432": null,
    "db.test:443": "port_not_allowed",
    "models.corp:8000": null,
    "models.corp:8001": "host_not_allowed",
  };
  assert.deepEqual(
    Object.fromEntries(Object.keys(answers).map((target) => [target, judged("allowed", target)])),
    answers,
  );
});

test("an open network reaches the ports 80 and 443 and those of rules; one that is off reaches nothing", () => {
  assert.deepEqual(
    ["any.test:443", "any.test:80", "any.test:22", "db.test:5432"].map((one) => judged("open", one)),
    [null, null, "port_not_allowed", null],
  );
  assert.deepEqual(
    ["api.test:443", "models.corp:8000"].map((one) => judged("off", one)),
    ["network_off", "network_off"],
  );
});

test("the host of a repository is found in whatever form its address has", () => {
  const found = (address: string) => {
    const rule = ruleOfAddress(address);
    return rule === null ? null : `${rule.host}:${rule.port}`;
  };
  assert.deepEqual(
    [
      "https://github.com/o/r.git",
      "https://u:p@Git.Corp:8443/o/r",
      "http://git.corp/o/r",
      "git@gitlab.com:o/r.git",
      "ssh://git@git.corp:2222/o/r",
      "git://git.corp/o/r",
      "/srv/git/o",
      "file:///srv/git/o",
      "../o",
    ].map(found),
    [
      "github.com:443",
      "git.corp:8443",
      "git.corp:80",
      "gitlab.com:443",
      "git.corp:443",
      "git.corp:443",
      null,
      null,
      null,
    ],
  );
});

test("registries are reached only over https", () => {
  assert.ok(registryRules.every(({ host, port }) => port === 443 && /^[a-z0-9.-]+$/.test(host)));
  for (const host of [
    "registry.npmjs.org",
    "pypi.org",
    "index.crates.io",
    "proxy.golang.org",
    "repo1.maven.org",
    "rubygems.org",
  ]) {
    assert.ok(
      registryRules.some((rule) => rule.host === host),
      host,
    );
  }
});
