import { registerHooks } from "node:module";

// Says which modules `errand/client` consists of, and what it exports. Run by its test as a program of its own.
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
