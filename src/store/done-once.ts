import type { Query } from '../db/database.ts';
import { Conflict, KeyReused } from '../errors.ts';
import type { Once } from '../operation.ts';
import type { Scope } from '../scope.ts';

/** Data of more bytes, as JSON, is not kept (§9). */
const longest = 5_000_000;

/** What answers are sealed for. */
export const purpose = 'kept answer';

/**
 * Takes the key, unless somebody has it. Two who come at once are told apart by a lock that is not waited for, and by
 * the row: an insert sees what others have committed, where a read in the same statement would not yet. A key is free
 * again after a day.
 */
const claim: Query = {
  name: 'claim-key',
  text: `
    WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(hashtextextended($5, 0)) AS mine),
    claimed AS (
      INSERT INTO kept_answer AS k (repository, user_id, key, request) SELECT $1, $2, $3, $4 FROM turn WHERE mine
      ON CONFLICT (repository, user_id, key) DO UPDATE
      SET request = EXCLUDED.request, answer = NULL, created_at = EXCLUDED.created_at
      WHERE k.created_at < EXCLUDED.created_at - interval '1 day'
      RETURNING k.key
    )
    SELECT mine AS "isFree", EXISTS (SELECT FROM claimed) AS "isMine" FROM turn`,
};

const kept: Query = {
  name: 'kept-answer',
  text: 'SELECT request, answer FROM kept_answer WHERE repository = $1 AND user_id = $2 AND key = $3',
};

const keep: Query = {
  name: 'keep-answer',
  text: 'UPDATE kept_answer SET answer = $4 WHERE repository = $1 AND user_id = $2 AND key = $3',
};

const forget: Query = {
  name: 'forget-key',
  text: 'DELETE FROM kept_answer WHERE repository = $1 AND user_id = $2 AND key = $3',
};

type Place = readonly [repository: string, userId: string, key: string];

const isRunning = (key: string) => new Conflict(`a request with the Idempotency-Key ${key} is still running`);

/** @throws KeyReused when the key stands for another request. */
async function answerOf<Data>({ db, secrets }: Scope, place: Place, request: string): Promise<Data> {
  const [row] = await db.query<{ request: string; answer: string | null }>(kept, place);
  const [, , key] = place;
  if (!row) throw isRunning(key); // gone this moment: its day is over
  const answer = row.request === request ? secrets.open(purpose, row.answer ?? '') : undefined;
  if (answer === undefined)
    throw new KeyReused(`the Idempotency-Key ${key} was sent with another request before`);
  return JSON.parse(answer) as Data;
}

/**
 * Does a write unless the caller did it before under this key within a day: then answers what it answered. The answer
 * is kept in the transaction of the write: there is neither one without the other. What fails leaves the key free.
 * @param work answers plain data.
 * @throws Conflict while the same key is being worked for; KeyReused when it stands for another request.
 */
export async function doneOnce<Data>(
  scope: Scope,
  { key, request: text }: Once,
  work: () => Promise<Data>,
): Promise<Data> {
  const { db, options, secrets, user } = scope;
  const place = [options.repository, user.id, key] as const;
  const request = secrets.derive(purpose, text).toString('base64url');
  const values = [...place, request, JSON.stringify(place)];
  const [turn] = await db.query<{ isFree: boolean; isMine: boolean }>(claim, values);
  if (!turn?.isFree) throw isRunning(key);
  if (!turn.isMine) return answerOf(scope, place, request);

  const data = await work();
  const answer = JSON.stringify(data);
  if (Buffer.byteLength(answer) > longest) await db.query(forget, place);
  else await db.query(keep, [...place, secrets.seal(purpose, answer)]);
  return data;
}
