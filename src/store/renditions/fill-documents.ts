import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { finishJob, type TakenJob } from '../queue/take-jobs.ts';
import type { FilledKind, MadeOfFile } from './filled-kinds.ts';
import { fillingJob, lackingDocument, lockLackingDocuments } from './filling-jobs.ts';

/** The number of milliseconds before documents that another transaction has locked are tried again. */
const pause = 5_000;

// Values that the document already has take precedence, because they come last.
const fillQuery = statement('fill-documents')`
  UPDATE document d SET properties = e.facts || d.properties, system_token = d.system_token + 1
  FROM jsonb_to_recordset($1::jsonb) AS e (repository text, id uuid, facts jsonb)
  WHERE d.repository = e.repository AND d.id = e.id`;

/** The values to fill in for all documents that have a certain file. */
export interface Filling {
  readonly digest: string;
  /** The kind of document to fill in; undefined if no document lacks any of its properties. */
  readonly kind: FilledKind | undefined;
  /** The kind to fill in, or all kinds if it is undefined, in the form returned by `filledKindsText`. */
  readonly kinds: string;
  readonly made: readonly MadeOfFile[];
}

/**
 * Fills in the values in some of the documents that lack them.
 * @returns the number of documents
 */
async function fillSome(db: Client, { digest, kind, kinds, made }: Filling): Promise<number> {
  const [first] = made;
  if (!first || !kind) return 0;
  const documents = await lockLackingDocuments(db, digest, kinds);
  const filled = documents.map(({ repository, id, hasItems, fileName, name }) => ({
    repository,
    id,
    items: hasItems ? [] : made.flatMap((each) => kind.itemOf?.(each, fileName ?? name) ?? []),
  }));
  if (filled.length === 0) return 0;
  const rows = filled.map(({ repository, id, items }) => ({
    repository,
    id,
    facts: { ...kind.factsOf(first.facts), ...(kind.items && items.length > 0 && { [kind.items]: items }) },
  }));
  await db.query(fillQuery, [JSON.stringify(rows)]);
  await db.prisma.documentBlob.createMany({
    data: filled.flatMap(({ repository, id: documentId, items }) =>
      items.map(({ content }, index) => ({
        repository,
        documentId,
        xpath: `${kind.items}/${index}/content`,
        digest: content.digest,
      })),
    ),
  });
  return filled.length;
}

/**
 * Fills in the missing properties of documents with a given file, in the transaction that ends the job. The job is
 * ended first: a document that gets the file at the same time is either found here, or adds the job again. Because no
 * user has changed the documents, no version, log entry or contributor is added, and only the server's half of the
 * change token increases.
 * @returns the number of documents
 */
export async function fillDocuments(db: Client, job: TakenJob, filling: Filling): Promise<number> {
  await finishJob(db, job);
  const count = await fillSome(db, filling);
  const { digest, kind, kinds, made } = filling;
  const canBeLeft = made.length > 0 || !kind;
  const isLeft = canBeLeft && (await lackingDocument(db, digest, kinds)) !== undefined;
  const runAt = count > 0 || !kind ? null : new Date(Date.now() + pause).toISOString();
  if (isLeft)
    await enqueueJobs({ db }, [
      { kind: fillingJob, once: `${fillingJob} ${digest}`, payload: { digest }, runAt },
    ]);
  return count;
}
