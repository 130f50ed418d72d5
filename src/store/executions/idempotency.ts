import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import { Conflict, KeyReused } from '../../errors.ts';
import type { IdempotentRequest, Scope } from '../../scope.ts';
import { tryKeyLock } from '../row-locks/advisory-locks.ts';

/** The maximum number of bytes in a response to be stored (§9), as JSON. */
const maxAnswer = 5_000_000;

/** The purpose for which stored responses, including results of executions, are encrypted. */
export const storedAnswerPurpose = 'kept answer';

// Claims an idempotency key if it is free; a key becomes free again after a day. If several requests use the same key
// at the same time, only one gets the advisory lock; the others do not wait for it. The INSERT decides whether the key
// is taken by a committed row. A SELECT in the same statement would not see rows that were committed after its
// snapshot.
const claim = statement('claim-key', { isFree: 'bool', isMine: 'bool' })`
  WITH turn AS MATERIALIZED (SELECT ${tryKeyLock('$5')} AS mine),
  claimed AS (
    INSERT INTO kept_answer AS k (repository, user_id, key, request) SELECT $1, $2, $3, $4 FROM turn WHERE mine
    ON CONFLICT (repository, user_id, key) DO UPDATE
    SET request = EXCLUDED.request, answer = NULL, created_at = EXCLUDED.created_at
    WHERE k.created_at < EXCLUDED.created_at - interval '1 day'
    RETURNING k.key
  )
  SELECT mine AS "isFree", EXISTS (SELECT FROM claimed) AS "isMine" FROM turn`;

interface AnswerKey {
  readonly repository: string;
  readonly userId: string;
  readonly key: string;
}

const isRunning = (key: string) =>
  new Conflict(`A request with the idempotency key ${key} is still running.`);

/**
 * Returns the response stored under a key.
 * @throws KeyReused if the key belongs to another request
 */
async function answerOf<Data>(
  { db, services: { secrets } }: Scope,
  address: AnswerKey,
  request: string,
): Promise<Data> {
  const { key } = address;
  const row = await db.prisma.keptAnswer.findUnique({ where: { userId_repository_key: address } });
  if (!row) throw isRunning(key); // the row has just been deleted, because the day had passed
  const answer = row.request === request ? secrets.open(storedAnswerPurpose, row.answer ?? '') : undefined;
  if (answer === undefined)
    throw new KeyReused(`The idempotency key ${key} was already used for another request.`);
  return JSON.parse(answer) as Data;
}

/**
 * Runs a write, or returns the response that was stored under its key within the last day. The response is stored in
 * the transaction of the write, so neither exists without the other. If the write fails, its key can be used again.
 * @param work resolves with JSON
 * @throws Conflict while another request with the same key is running; KeyReused if the key belongs to another request
 */
export async function runIdempotently<Data>(
  scope: Scope,
  { key, request: text }: IdempotentRequest,
  work: () => Promise<Data>,
): Promise<Data> {
  const { db, options, user } = scope;
  const { secrets } = scope.services;
  const address = { repository: options.repository, userId: user.id, key };
  const request = secrets.derive(storedAnswerPurpose, text).toString('base64url');
  const names = Object.values(address);
  const values = [...names, request, JSON.stringify(names)];
  const [turn] = await db.query(claim, values);
  if (!turn?.isFree) throw isRunning(key);
  if (!turn.isMine) return answerOf(scope, address, request);

  const data = await work();
  const answer = JSON.stringify(data);
  if (Buffer.byteLength(answer) > maxAnswer) await db.prisma.keptAnswer.deleteMany({ where: address });
  else {
    const sealed = secrets.seal(storedAnswerPurpose, answer);
    await db.prisma.keptAnswer.updateMany({ where: address, data: { answer: sealed } });
  }
  return data;
}

/** Deletes stored responses after the given number of days. */
export const deleteOldAnswers = oldRowsDeletion({
  table: 'kept_answer',
  key: ['repository', 'user_id', 'key'],
  since: 'created_at',
});
