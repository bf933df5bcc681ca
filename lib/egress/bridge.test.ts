import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { findBubblewrapFlags } from "#lib/workspace/bubblewrap.ts";
import { bridgeStep, proxyEnvironment } from "./bridge.ts";
import { namesOf, proxyUnderTest, serving } from "./proxy-under-test.fixture.ts";

/** Runs a command behind the bridge in its own network namespace. Returns its output and exit. */
async function inside(socket: string, command: string[], env: Record<string, string> = {}) {
  const walls = ["--unshare-net", "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/", "--proc", "/proc"];
  const script = `${bridgeStep(socket, { waits: true })}\nexec "$@"`;
  const child = spawn("bwrap", [...walls, "--", "/bin/sh", "-c", script, "sh", ...command], {
    env: { PATH: process.env.PATH ?? "", ...proxyEnvironment(), ...env, NODE_ENV: "test" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, errors, code };
}

if ((await findBubblewrapFlags({ PATH: process.env.PATH ?? "" })) !== null) {
  test("behind the bridge programs reach allowed hosts with their usual proxy settings, and nothing directly", async (t) => {
    const port = await serving(t, "127.0.0.3", (request, response) => void response.end(`got ${request.url}`));
    const find = namesOf({ "allowed.test": () => ["127.0.0.3"] });
    const { socket, denials } = await proxyUnderTest(t, { find, permitted: `allowed.test:${port}` });
    const program = `const fetched = await fetch("http://allowed.test:${port}/a");
      console.log(await fetched.text());
      const { get } = await import("node:http");
      get("http://denied.test/", async (answer) => console.log(answer.statusCode, (await answer.toArray()).join("")));`;
    const node = await inside(socket, [process.execPath, "--input-type=module", "-e", program]);
    assert.match(node.out, /^got \/a\n403 Errand did not connect to denied\.test:80: .*host_not_allowed/, node.errors);
    const direct = `require("node:net").connect(${port}, "127.0.0.3").on("error", (e) => console.log(e.code)).on("connect", () => console.log("reached"))`;
    const { out } = await inside(socket, [process.execPath, "-e", direct]);
    assert.match(out, /ECONNREFUSED|ENETUNREACH/);
    assert.deepEqual(
      denials.map(({ rule, host }) => `${rule} ${host}`),
      ["host_not_allowed denied.test"],
    );
  });

  test("a command behind the bridge keeps its output and exit code, and the bridge ends with it", async (t) => {
    const { socket } = await proxyUnderTest(t, {});
    const ended = await inside(socket, ["/bin/sh", "-c", 'echo "$0 $1"; echo told >&2; exit 7', "a b", "c"]);
    assert.deepEqual(ended, { out: "a b c\n", errors: "told\n", code: 7 });
  });
}
