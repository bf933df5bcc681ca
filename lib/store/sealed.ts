import { sql } from "kysely";
import type { Dialect } from "./dialect.ts";

/**
 * Ids of the keys with which the stored secrets are encrypted (lib/secrets/seal.ts: the second part of `e1.KEYID.…`), each once.
 * Previous secrets, signing keys not in use and stored responses do not count, because they are no longer used.
 */
export function sealKeyIds({ reader }: Pick<Dialect, "reader">): () => Promise<string[]> {
  return async () => {
    const { rows } = await sql<{ id: string }>`
      with sealed (text) as (
        select sealed from agent_keys
        union all select secret_sealed from integrations
        union all select hook_secret_sealed from integrations
        union all select headers_sealed from mcp_servers
        union all select json_extract(own.value, '$.headersSealed')
          from runs, json_each(runs.mcp_servers, '$.own') as own where runs.mcp_servers is not null
        union all select secret from webhooks where state = 'active'
        union all select signing_sealed from pull_settings where json_extract(settings, '$.signing') = 'ssh'
      )
      select distinct substr(text, 4, 8) as id from sealed where text glob 'e1.*' order by id
    `.execute(reader);
    return rows.map(({ id }) => id);
  };
}
