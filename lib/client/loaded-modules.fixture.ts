import { registerHooks } from "node:module";

// Prints the modules of `errand/client` and its exports. Its test runs it as a separate program.
const files: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    files.push(resolved.url);
    return resolved;
  },
});
const { createClient, ClientError } = await import("errand/client");
process.stdout.write(JSON.stringify({ files: [...new Set(files)], kinds: [typeof createClient, typeof ClientError] }));
