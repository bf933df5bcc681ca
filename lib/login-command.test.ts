import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { loginCommand, shownLoginCommand } from "./login-command.ts";

const bare = "npm run --silent errand -- login";

test("the command names a data folder other than the usual one, as one word for a shell", () => {
  assert.equal(loginCommand(resolve(import.meta.dirname, "../data")), bare);
  assert.equal(loginCommand("/srv/errand"), `ERRAND_DATA_DIR=/srv/errand ${bare}`);
  assert.equal(loginCommand("/srv/it's here"), `ERRAND_DATA_DIR='/srv/it'\\''s here' ${bare}`);
});

test("a page names the folder only if no other machine can reach the service", () => {
  assert.equal(shownLoginCommand("/srv/errand", "http://127.0.0.1:4777"), `ERRAND_DATA_DIR=/srv/errand ${bare}`);
  assert.equal(
    shownLoginCommand("/srv/errand", "https://errand.example.com"),
    `ERRAND_DATA_DIR=THE_DATA_FOLDER ${bare}`,
  );
  assert.equal(shownLoginCommand(resolve(import.meta.dirname, "../data"), "https://errand.example.com"), bare);
});
