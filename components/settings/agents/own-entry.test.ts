import assert from "node:assert/strict";
import { test } from "node:test";
import { parseProfiles } from "#lib/agents/agents-file.ts";
import { writeEntry } from "./own-entry.ts";

const typed = { id: "my-agent", title: "My agent", command: "/opt/my-agent/bin/agent --acp", variables: "" };

test("the entry that the page writes is one that the file takes, with its words and variables", () => {
  const written = writeEntry({ ...typed, command: `'/opt/my agent/run' --name "a b"`, variables: "MY_KEY, MY_URL" });
  assert.ok("json" in written);
  const [profile] = parseProfiles(JSON.parse(written.json), []);
  assert.deepEqual(
    [profile?.id, profile?.title, profile?.command, profile?.passEnv],
    ["my-agent", "My agent", ["/opt/my agent/run", "--name", "a b"], ["MY_KEY", "MY_URL"]],
  );
});

test("what the file would refuse is refused on the page", () => {
  for (const wrong of [
    { id: "My agent" },
    { id: "" },
    { command: " " },
    { variables: "ERRAND_SECRET_KEY" },
    { variables: "a-b" },
  ]) {
    assert.ok("problem" in writeEntry({ ...typed, ...wrong }), JSON.stringify(wrong));
  }
});
