import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Credential } from '../../security/principal.ts';

/** The ids of sessions and tokens that were used since the last write. */
export interface Uses {
  readonly sessions: Set<string>;
  readonly loginTokens: Set<string>;
  readonly oauth2Tokens: Set<number>;
}

export const noUses = (): Uses => ({
  sessions: new Set(),
  loginTokens: new Set(),
  oauth2Tokens: new Set(),
});

/** Adds a credential if it is a session or a token. Uses of other kinds of credentials are not recorded. */
export function addUse(uses: Uses, credential: Credential): void {
  if (credential.kind === 'login token') uses.loginTokens.add(credential.id);
  else if (credential.kind === 'OAuth token') uses.oauth2Tokens.add(credential.id);
  else if ('session' in credential && credential.session) uses.sessions.add(credential.session);
}

export const countUses = ({ sessions, loginTokens, oauth2Tokens }: Uses): number =>
  sessions.size + loginTokens.size + oauth2Tokens.size;

// Updates rows at most once a minute, regardless of the number of processes that a credential is used in. Rows that
// another process is updating are skipped, so that two processes never wait for each other.
const touch = (table: string, condition: string) => `
  UPDATE ${table} used SET last_used_at = now() FROM (
    SELECT id FROM ${table}
    WHERE ${condition} AND coalesce(last_used_at, '-infinity') < now() - interval '1 minute'
    FOR NO KEY UPDATE SKIP LOCKED
  ) due WHERE used.id = due.id`;

const query = statement('record-uses')`
  WITH sessions AS (${touch('session', 'id = ANY($1::uuid[])')}),
    login_tokens AS (${touch('login_token', 'id = ANY($2::uuid[])')})
  ${touch('oauth2_token', 'id = ANY($3::int[])')}`;

/** Stores the current time as the last use of sessions and tokens. */
export const recordUses = (
  db: Pick<Client, 'query'>,
  { sessions, loginTokens, oauth2Tokens }: Uses,
): Promise<unknown> => db.query(query, [[...sessions], [...loginTokens], [...oauth2Tokens]]);
