import type { ConverterParameters } from '../../converters/converter.ts';
import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import {
  type AppError,
  fromStoredError,
  NotFound,
  type StoredError,
  TooManyRequests,
  toStoredError,
} from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { PlannedConversion } from '../../loaders/renditions/convert.ts';
import { isUuid } from '../../model/names.ts';
import { convertedName, stemOf } from '../../model/values/converted-name.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import type { ConvertedFile } from '../../services.ts';

/** The kind of job that converts files. */
export const conversionJob = 'convert-file';

/** The maximum number of pending conversions of one user. Concurrent requests can exceed it slightly. */
const userLimit = 100;

/** The progress of a conversion. */
export interface ConversionStatus {
  readonly id: string;
  readonly status: 'scheduled' | 'running' | 'completed';
}

type Asking = Pick<Client, 'query'>;

// Inserts a conversion and its job in one statement. `pending` counts the unfinished conversions of the user, and
// `made` inserts nothing if there are too many. A file that needs no conversion is inserted along with its result, so
// `queued` adds no job for it.
const insert = statement('schedule-conversion', { id: 'text' })`
  WITH pending AS (
    SELECT count(*) AS count FROM conversion WHERE user_id = $1 AND digest IS NULL AND error IS NULL
  ),
  made AS (
    INSERT INTO conversion (user_id, source_digest, source_type, converters, parameters, stem, digest, length, mime_type)
    SELECT $1, $2, $3, $4::text[], $5::jsonb, $6, $7, $8::bigint, $9
    FROM pending WHERE count < ${userLimit}
    RETURNING id, digest
  ),
  queued AS (
    INSERT INTO job (kind, once, payload)
    SELECT '${conversionJob}', '${conversionJob} ' || id, jsonb_build_object('id', id) FROM made WHERE digest IS NULL
  )
  SELECT id::text AS id FROM made`;

/**
 * Schedules the conversion of a file, which a job then performs.
 * @returns the id of the conversion
 * @throws TooManyRequests if the caller has too many pending conversions
 */
export async function scheduleConversion(
  { db, user }: Pick<Scope, 'db' | 'user'>,
  { path, source, parameters }: PlannedConversion,
): Promise<string> {
  const result = path ? [null, null, null] : [source.digest, source.length, source.mimeType];
  const converters = (path ?? []).map(({ name }) => name);
  const values = [
    user.id,
    source.digest,
    source.mimeType,
    converters,
    JSON.stringify(parameters),
    stemOf(source.name),
    ...result,
  ];
  const [made] = await db.query(insert, values);
  if (!made)
    throw new TooManyRequests(
      `You have ${userLimit} pending conversions. Wait until one of them is completed.`,
      10,
    );
  await db.announce('jobs');
  return made.id;
}

const find = statement('find-conversion', {
  ...modelColumns('Conversion', 'sourceDigest', 'sourceType', 'converters', 'stem', 'digest', 'mimeType'),
  parameters: typed<ConverterParameters>('jsonb'),
  length: 'text?',
  error: typed<StoredError | null>('jsonb?'),
  state: 'text?',
})`
  SELECT source_digest AS "sourceDigest", source_type AS "sourceType", converters, parameters, stem, digest,
    length::text AS length, mime_type AS "mimeType", c.error, j.state
  FROM conversion c LEFT JOIN job j ON j.once = '${conversionJob} ' || c.id
  WHERE c.id = $1::uuid AND ($2::text IS NULL OR user_id = $2)`;

/**
 * Finds a conversion of the caller or, if the caller is an administrator, of any user.
 * @throws NotFound
 */
async function findOwn({ db, user }: Pick<Scope, 'db' | 'user'>, id: string): Promise<RowOf<typeof find>> {
  const owner = user.isAdministrator ? null : user.id;
  const [row] = isUuid(id) ? await db.query(find, [id, owner]) : [];
  if (!row) throw new NotFound(`There is no conversion ${id.slice(0, 80)}.`);
  return row;
}

const isCompleted = ({ digest, error }: RowOf<typeof find>): boolean => digest !== null || error !== null;

/**
 * The progress of a conversion; a failed conversion counts as completed.
 * @throws NotFound
 */
export async function conversionStatus(
  scope: Pick<Scope, 'db' | 'user'>,
  id: string,
): Promise<ConversionStatus> {
  const row = await findOwn(scope, id);
  const status = isCompleted(row) ? 'completed' : row.state === 'running' ? 'running' : 'scheduled';
  return { id, status };
}

/**
 * Returns the result of a conversion.
 * @throws NotFound if it is not completed; the error that made it fail
 */
export async function conversionResult(scope: Pick<Scope, 'db' | 'user'>, id: string): Promise<StoredBlob> {
  const { digest, length, mimeType, error, stem } = await findOwn(scope, id);
  if (error) throw fromStoredError(error);
  if (digest === null || mimeType === null) throw new NotFound(`The conversion ${id} is not completed yet.`);
  return { name: convertedName(stem, mimeType), mimeType, encoding: null, digest, length: Number(length) };
}

/** A conversion that a job has to perform. */
export interface DueConversion {
  readonly path: readonly string[];
  readonly source: ConvertedFile;
  readonly parameters: ConverterParameters;
}

/**
 * Finds a conversion that a job has to perform.
 * @returns undefined if the conversion was deleted
 */
export async function dueConversion(db: Asking, id: string): Promise<DueConversion | undefined> {
  const [row] = await db.query(find, [id, null]);
  if (!row) return undefined;
  const { converters, sourceDigest: digest, sourceType: mimeType, parameters } = row;
  return { path: converters, source: { digest, mimeType }, parameters };
}

/** Stores the result of a conversion, or the reason why it failed. */
export async function storeConversion(
  { prisma }: Pick<Client, 'prisma'>,
  id: string,
  outcome: StoredBlob | AppError,
): Promise<void> {
  const data =
    outcome instanceof Error
      ? {
          digest: null,
          length: null,
          mimeType: null,
          error: toStoredError(outcome) as object as Prisma.InputJsonObject,
        }
      : { digest: outcome.digest, length: outcome.length, mimeType: outcome.mimeType, error: Prisma.DbNull };
  await prisma.conversion.updateMany({ where: { id }, data });
}

/** Deletes conversions that were scheduled more than the given number of days ago. */
export const deleteOldConversions = oldRowsDeletion({
  table: 'conversion',
  key: ['id'],
  since: 'created_at',
});
