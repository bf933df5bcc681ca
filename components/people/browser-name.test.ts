import assert from "node:assert/strict";
import test from "node:test";
import { browserName } from "./browser-name.ts";

test("a browser is named by what it calls itself, and an unknown one is shown unchanged", () => {
  const named: [string | null, string][] = [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
      "Safari on macOS",
    ],
    ["curl/8.5.0", "curl"],
    ["my-script", "my-script"],
    [null, "Unknown browser"],
    [" ", "Unknown browser"],
  ];
  for (const [userAgent, name] of named) assert.equal(browserName(userAgent), name);
});
