import type DataLoader from 'dataloader';
import { typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { isPossibleKey } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { quickForFewKeys, validKeyBatchLoader } from '../batch.ts';

/** An identity of a user at a provider, as JSON. */
export interface KnownIdentity {
  readonly id: string;
  readonly provider: string;
  readonly subject: string;
  readonly createdAt: string;
  readonly lastSignInAt: string | null;
  readonly endedAt: string | null;
}

/** How a user signs in. */
export interface SignInFacts {
  readonly id: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** The last sign-in in the audit log, with any kind of credentials. */
  readonly lastSignInAt: Date | null;
  /** Oldest first. */
  readonly identities: readonly KnownIdentity[];
}

// The times of identities are written as in other responses, because JSON is not converted to dates.
const query = quickForFewKeys(statement('sign-in-facts', {
  id: 'text',
  hasPassword: 'bool',
  hasSecondFactor: 'bool',
  lastSignInAt: 'timestamptz?',
  identities: typed<readonly KnownIdentity[]>('json'),
})`
  SELECT u.id, u.password_hash IS NOT NULL AS "hasPassword",
    EXISTS (SELECT 1 FROM second_factor f WHERE f.user_id = u.id) AS "hasSecondFactor",
    (SELECT l.event_date FROM log_entry l WHERE l.event_id = 'loginSuccess' AND l.principal_name = u.id
      ORDER BY l.event_date DESC LIMIT 1) AS "lastSignInAt",
    (SELECT coalesce(json_agg(json_build_object('id', i.id, 'provider', i.provider, 'subject', i.subject,
        'createdAt', to_char(i.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'lastSignInAt', to_char(i.last_sign_in_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'endedAt', to_char(i.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        ORDER BY i.created_at, i.id), '[]')
      FROM identity i WHERE i.user_id = u.id) AS identities
  FROM "user" u WHERE u.id = ANY($1::text[])`);

/** Reads how users sign in, with one statement for all users of a list. */
export const signInFacts = ({ db }: Scope): DataLoader<string, SignInFacts | null> =>
  validKeyBatchLoader(
    isPossibleKey,
    (ids) => db.query(query(ids), [ids]),
    ({ id }) => id,
  );
