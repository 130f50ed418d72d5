import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import { Conflict, KeyReused } from '../../errors.ts';
import type { IdempotentRequest, Scope } from '../../scope.ts';
import { tryKeyLock } from '../row-locks/advisory-locks.ts';

/** Bytes of JSON; longer answers are not kept (§9). */
const longest = 5_000_000;

/** The purpose that kept answers are sealed for, those of executions too. */
export const keptAnswerPurpose = 'kept answer';

// Claims a free key; keys are free again after a day. Of concurrent requests only one gets the advisory lock,
// which is tried and never waited for. The insert decides about committed rows: a read in the same statement
// would miss those committed since its snapshot.
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

const isRunning = (key: string) => new Conflict(`a request with the idempotency key ${key} is still running`);

/** @throws KeyReused when the key stands for another request. */
async function answerOf<Data>(
  { db, services: { secrets } }: Scope,
  address: AnswerKey,
  request: string,
): Promise<Data> {
  const { key } = address;
  const row = await db.prisma.keptAnswer.findUnique({ where: { userId_repository_key: address } });
  if (!row) throw isRunning(key); // gone this moment: its day is over
  const answer = row.request === request ? secrets.open(keptAnswerPurpose, row.answer ?? '') : undefined;
  if (answer === undefined)
    throw new KeyReused(`the idempotency key ${key} was sent with another request before`);
  return JSON.parse(answer) as Data;
}

/**
 * Runs a write, or answers what it answered under this key within the last day. The answer is kept in the
 * transaction of the write, so neither exists without the other; a failure leaves the key free.
 * @param work resolves with JSON.
 * @throws Conflict while another request with the key runs; KeyReused when the key belongs to a different
 * request.
 */
export async function runIdempotently<Data>(
  scope: Scope,
  { key, request: text }: IdempotentRequest,
  work: () => Promise<Data>,
): Promise<Data> {
  const { db, options, user } = scope;
  const { secrets } = scope.services;
  const address = { repository: options.repository, userId: user.id, key };
  const request = secrets.derive(keptAnswerPurpose, text).toString('base64url');
  const names = Object.values(address);
  const values = [...names, request, JSON.stringify(names)];
  const [turn] = await db.query(claim, values);
  if (!turn?.isFree) throw isRunning(key);
  if (!turn.isMine) return answerOf(scope, address, request);

  const data = await work();
  const answer = JSON.stringify(data);
  if (Buffer.byteLength(answer) > longest) await db.prisma.keptAnswer.deleteMany({ where: address });
  else {
    const sealed = secrets.seal(keptAnswerPurpose, answer);
    await db.prisma.keptAnswer.updateMany({ where: address, data: { answer: sealed } });
  }
  return data;
}

export const deleteOldAnswers = oldRowsDeletion({
  table: 'kept_answer',
  key: ['repository', 'user_id', 'key'],
  since: 'created_at',
});
