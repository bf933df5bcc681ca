import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { ConfigError, localUrl, readConfig } from "./config.ts";

/** Next's types require NODE_ENV in every environment. */
const read = (environment: Record<string, string>) => readConfig({ NODE_ENV: "test", ...environment });

test("without settings the service listens only on this machine, on port 3000, with ./data", () => {
  const config = read({});
  assert.deepEqual([config.host, config.port, config.publicUrl], ["127.0.0.1", 3000, null]);
  assert.equal(config.dataDir, resolve("data"));
  assert.equal(config.storeFile, resolve("data/errand.db"));
});

test("an empty variable counts as unset", () => {
  assert.deepEqual(read({ PORT: "", HOST: "", ERRAND_PUBLIC_URL: "" }).port, 3000);
});

/** Settings that are refused, in one line. */
const refused = (environment: Record<string, string>, message: RegExp) =>
  assert.throws(
    () => read(environment),
    (error) => error instanceof ConfigError && message.test(error.message) && !error.message.includes("\n"),
  );

test("an invalid setting is reported in one line that names the variable and the bound", () => {
  refused({ PORT: "65536" }, /^PORT: must be a whole number from 0 to 65535$/);
  refused({ PORT: "http" }, /^PORT: must be a whole number/);
  refused({ ERRAND_CONCURRENCY: "0" }, /^ERRAND_CONCURRENCY: must be a whole number from 1 to 64$/);
  refused({ ERRAND_PUBLIC_URL: "errand.example.com" }, /^ERRAND_PUBLIC_URL: must be an http or https address/);
  refused({ ERRAND_PUBLIC_URL: "https://example.com/errand" }, /^ERRAND_PUBLIC_URL: .* a name, password or path/);
  refused({ ERRAND_PUBLIC_URL: "https://me:secret@example.com" }, /^ERRAND_PUBLIC_URL: /);
  refused({ ERRAND_RATE_LOGS: "-1" }, /^ERRAND_RATE_LOGS: must be a whole number from 0 to 1000000$/);
  refused(
    { ERRAND_RATE_SESSION_FACTOR: "1001" },
    /^ERRAND_RATE_SESSION_FACTOR: must be a whole number from 0 to 1000$/,
  );
  refused(
    { ERRAND_EGRESS_PRIVATE: "models.corp:8000, 169.254.169.254:80" },
    /^ERRAND_EGRESS_PRIVATE: "169\.254\.169\.254:80" cannot be permitted: each entry must be a host and port, such as models\.corp:8000$/,
  );
  refused({ ERRAND_QUEUE_MAX: "many" }, /^ERRAND_QUEUE_MAX: must be a whole number from 0 to 1000000$/);
  refused(
    { ERRAND_OUTBOUND_ALLOW: "git.corp, 10.0.0.0/33" },
    /^ERRAND_OUTBOUND_ALLOW: "10\.0\.0\.0\/33" is not a host name, an IP address or a network such as 10\.0\.0\.0\/8$/,
  );
  refused(
    { ERRAND_TRUSTED_PROXIES: "127.0.0.1, proxy" },
    /^ERRAND_TRUSTED_PROXIES: "proxy" is not an IP address, nor a network such as 10\.0\.0\.0\/8$/,
  );
  refused({ ERRAND_SANDBOX: "docker" }, /^ERRAND_SANDBOX: /);
});

test("the limits are those of the contract unless set otherwise, and no X-Forwarded-For is trusted", () => {
  const unset = read({});
  assert.deepEqual(unset.rates, rateSettingsDefault);
  assert.deepEqual([unset.queueMax, unset.trustedProxies.rules.length], [1000, 0]);
  const set = read({ ERRAND_RATE_INGEST: "0", ERRAND_RATE_SESSION_FACTOR: "3", ERRAND_TRUSTED_PROXIES: "10.0.0.0/8" });
  assert.deepEqual([set.rates.quotas.ingest, set.rates.quotas.standard, set.rates.sessionFactor], [0, 60, 3]);
  assert.ok(set.trustedProxies.check("10.1.2.3"));
});

test("the public address loses its trailing slash, hosts are trimmed and in lower case", () => {
  const config = read({ ERRAND_PUBLIC_URL: "https://example.com/", ERRAND_ALLOWED_HOSTS: " A.example, b.example ," });
  assert.equal(config.publicUrl, "https://example.com");
  assert.deepEqual(config.allowedHosts, ["a.example", "b.example"]);
});

test("the local address is one that a browser on this machine can open", () => {
  assert.equal(localUrl("0.0.0.0", 80), "http://127.0.0.1:80");
  assert.equal(localUrl("::1", 3000), "http://[::1]:3000");
});

test("the encryption key is 32 bytes, is not revealed when invalid, and is passed on to nobody", () => {
  const text = Buffer.alloc(32, 7).toString("base64");
  const config = read({ ERRAND_SECRET_KEY: text, ERRAND_DATA_DIR: "/srv/errand" });
  assert.deepEqual(config.secretKey.key, Buffer.alloc(32, 7));
  assert.equal(config.secretKey.file, "/srv/errand/secret.key");
  assert.ok(!JSON.stringify(config.environment).includes(text));
  assert.equal(read({}).secretKey.key, null);
  assert.throws(
    () => read({ ERRAND_SECRET_KEY: "hunter2" }),
    (error) =>
      error instanceof ConfigError &&
      /^ERRAND_SECRET_KEY: must be 32 bytes in base64 or hexadecimal/.test(error.message) &&
      !error.message.includes("hunter2"),
  );
});

test("sign-in by OpenID Connect needs issuer and client, its secret is passed on to nobody, and groups are read completely", () => {
  assert.equal(read({}).oidc, null);
  const given = {
    ERRAND_OIDC_ISSUER: "http://127.0.0.1:9000/realm",
    ERRAND_OIDC_CLIENT_ID: "errand",
    ERRAND_OIDC_CLIENT_SECRET: "hunter2",
    ERRAND_OIDC_GROUP_ROLES: " ops=admin, cn=devs,ou=x=2:member ,",
    ERRAND_OIDC_ALLOWED_DOMAINS: " Example.com,",
  };
  const config = read({ ...given, ERRAND_OIDC_GROUP_ROLES: "ops=admin, a=b=2:member ," });
  assert.deepEqual(config.oidc?.groupRoles, [
    { group: "ops", organizationId: null, role: "admin" },
    { group: "a=b", organizationId: 2, role: "member" },
  ]);
  assert.deepEqual([config.oidc.defaultRole, config.oidc.allowedDomains], [null, ["example.com"]]);
  assert.equal(config.oidc.clientSecret, "hunter2");
  assert.ok(!JSON.stringify(config.environment).includes("hunter2"));
  refused(given, /^ERRAND_OIDC_GROUP_ROLES: "cn=devs" is not GROUP=ROLE or GROUP=ORGANIZATION_ID:ROLE$/);
  refused({ ERRAND_OIDC_ISSUER: "https://a.example" }, /^ERRAND_OIDC_CLIENT_ID: is missing/);
  refused({ ERRAND_OIDC_CLIENT_ID: "errand" }, /^ERRAND_OIDC_ISSUER: is missing/);
  refused(
    { ...given, ERRAND_OIDC_GROUP_ROLES: "", ERRAND_OIDC_ISSUER: "example" },
    /^ERRAND_OIDC_ISSUER: must be an http/,
  );
  refused({ ...given, ERRAND_OIDC_GROUP_ROLES: "", ERRAND_OIDC_SCOPES: "email" }, /^ERRAND_OIDC_SCOPES: must include/);
});
