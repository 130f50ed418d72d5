/** @group every-database, slow, long */
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { buildIndex } from '../../../src/store/search/build-index.ts';
import { compareIndex } from '../../../src/store/search/compare-index.ts';
import { administrator } from '../../support/administrator.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { runJobs } from '../../support/jobs.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

jest.setTimeout(120_000);

const server = useServer();
const jobs = '/api/v1/management/jobs';

const send = <Row>(text: string) => server.database.query<Row>({ name: '', text }, []);

const titled = (title: string) =>
  server.request
    .get('/api/v1/search/execute')
    .query({ query: `SELECT * FROM Document WHERE dc:title = '${title}'` })
    .expect(200);

/** How many documents a search finds that does not wait. */
async function found(title: string): Promise<number> {
  const { body, headers } = await titled(title);
  expect(headers).not.toHaveProperty('x-search-delay');
  return body.resultsCount;
}

interface JobEntity {
  readonly id: string;
  readonly state: string;
  readonly error: string;
  readonly document: { readonly uid: string; readonly path: string; readonly title: string };
}

const listed = async (state = 'set-aside'): Promise<JobEntity[]> =>
  (await server.request.get(jobs).query({ kind: 'index-document', state }).expect(200)).body.entries;

const settled = () =>
  until(async () => (await send('SELECT FROM search_change LIMIT 1')).length === 0, 60_000);

const many = (titles: readonly string[]): Promise<DocumentEntity[]> =>
  Promise.all(titles.map((title) => createDocument(server, { properties: { 'dc:title': title } })));

/** Sets a property by SQL to what no request can set it to, as older builds or other programs may have done. */
const lay = ({ uid }: DocumentEntity, properties: string) =>
  send(`UPDATE document SET properties = properties || ${properties} WHERE id = '${uid}'`);

/** Longer than an entry of the index of dates can be. */
const endlessDate = `jsonb_build_object('dc:created',
  (SELECT string_agg(md5(n::text), '') FROM generate_series(1, 1000) n))`;

/** Has PostgreSQL do something before it writes the row of a document that has a title. */
async function meddle(title: string, doing: string): Promise<void> {
  await send(`CREATE OR REPLACE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.title = '${title}' THEN ${doing}; END IF; RETURN NEW; END $$`);
  await send(`CREATE OR REPLACE TRIGGER meddle BEFORE INSERT OR UPDATE ON search_document
    FOR EACH ROW EXECUTE FUNCTION meddle()`);
}

const mend = () => send('DROP FUNCTION IF EXISTS meddle CASCADE');

beforeAll(() => runJobs(server));
afterEach(async () => {
  await mend();
  await send(`DELETE FROM document d USING job j
    WHERE j.kind = 'index-document' AND d.id = (j.payload ->> 'id')::uuid`);
  await settled();
});

describe('A document that cannot be indexed', () => {
  test('is set aside with its reason while all others are found, and no search waits for it', async () => {
    const documents = await many(Array.from({ length: 30 }, (_, nth) => `beside ${nth}`));
    const [poison] = documents;
    if (!poison) throw new Error('no document');
    await lay(poison, endlessDate);
    const later = await many(['after it']);
    await settled();
    for (let nth = 1; nth < 30; nth += 1) expect(await found(`beside ${nth}`)).toBe(1);
    expect([await found('after it'), await found('beside 0')]).toEqual([1, 0]);
    expect(later).toHaveLength(1);
    const [job, ...others] = await listed();
    expect(others).toEqual([]);
    expect(job).toMatchObject({
      kind: 'index-document',
      state: 'set-aside',
      document: { repository: 'default', uid: poison.uid, path: poison.path, title: 'beside 0' },
    });
    expect(job?.error).toMatch(/^PostgreSQL cannot index the document: index row .* \(54000\)$/);
    const { text } = await server.request.get('/metrics').expect(200);
    expect(text).toMatch(/^jobs\{kind="index-document",state="set-aside"[^}]*\} 1$/m);
  });

  test('is found again after a change that corrects it', async () => {
    const [document] = await many(['mended']);
    if (!document) throw new Error('no document');
    await lay(document, endlessDate);
    await settled();
    const [job] = await listed();
    await updateDocument(server.request, String(job?.document.uid), { 'dc:description': 'changed' }).expect(
      200,
    );
    await settled();
    expect([await found('mended'), (await listed()).length]).toEqual([0, 1]);
    await send(
      `UPDATE document SET properties = properties - 'dc:created' WHERE id = '${job?.document.uid}'`,
    );
    await settled();
    expect([await found('mended'), (await listed()).length]).toEqual([1, 0]);
  });

  test('is found when an administrator tries it again after the cause is gone', async () => {
    await meddle('refused', `RAISE EXCEPTION 'not this one'`);
    const [{ uid }] = (await many(['refused', 'not refused'])) as [DocumentEntity, DocumentEntity];
    await settled();
    const [job] = await listed();
    expect([job?.document.uid, job?.error]).toEqual([
      uid,
      'PostgreSQL cannot index the document: not this one (P0001)',
    ]);
    await server.request.post(`${jobs}/${job?.id}/run`).expect(204);
    await until(async () => (await listed()).length === 1);
    expect([await found('refused'), await found('not refused')]).toEqual([0, 1]);
    await mend();
    await server.request.post(`${jobs}/${job?.id}/run`).expect(204);
    await until(async () => (await listed('waiting')).length + (await listed('running')).length === 0);
    expect([await found('refused'), (await listed()).length]).toEqual([1, 0]);
  });

  test('is forgotten when it is deleted', async () => {
    await meddle('to delete', `RAISE EXCEPTION 'not this one'`);
    const [document] = await many(['to delete']);
    await settled();
    expect(await listed()).toHaveLength(1);
    await server.request.delete(`/api/v1/id/${document?.uid}`).expect(204);
    await settled();
    expect(await listed()).toEqual([]);
  });

  test('waits for another attempt when it took too long, and no other document waits for it', async () => {
    await meddle('endless', 'PERFORM pg_sleep(60)');
    const [endless] = await many(['endless']);
    await until(async () => (await send('SELECT FROM search_change WHERE is_slow')).length === 1);
    for (let nth = 0; nth < 3; nth += 1) {
      await many([`meanwhile ${nth}`]);
      await until(async () => (await titled(`meanwhile ${nth}`)).body.resultsCount === 1, 30_000);
    }
    await settled();
    expect(await listed()).toEqual([]);
    const [job] = await listed('waiting');
    expect(job).toMatchObject({
      document: { uid: endless?.uid },
      error: 'The document could not be indexed within 10 s.',
    });
    expect(await found('endless')).toBe(0);
    await mend();
    await server.request.post(`${jobs}/${job?.id}/run`).expect(204);
    await until(async () => (await listed('waiting')).length + (await listed('running')).length === 0);
    expect(await found('endless')).toBe(1);
  });

  test('does not fail a search in the transaction of another user', async () => {
    await meddle('in the way', `RAISE EXCEPTION 'not this one'`);
    const [own] = await many(['to be changed']);
    await settled();
    await server.database.transaction(30, async (db) => {
      const change = `UPDATE document SET title = 'own change' WHERE id = '${own?.uid}'`;
      await db.query({ name: '', text: change }, []);
      await many(['in the way']);
      const find = `SELECT title FROM search_document WHERE title = 'own change'`;
      const { found: rows } = await server.searchIndex.withinTransaction(
        db,
        (query) => query({ name: '', text: find }, []),
        { user: administrator.username, isWaiting: false },
      );
      expect(rows).toHaveLength(1);
    });
  });
});

describe('An index that is built while searches read the old one', () => {
  const never = new AbortController().signal;
  const build = () =>
    buildIndex(server.database, { onProgress: () => {}, signal: never, documentsOfSlice: 10 });
  const compare = (isCheck: boolean) =>
    compareIndex(server.database, { isCheck, onProgress: () => {}, signal: never });

  test('sets aside documents that cannot be indexed, and contains them again when they can', async () => {
    const [laid, mended] = (await many(['laid badly', 'to mend'])) as [DocumentEntity, DocumentEntity];
    await lay(mended, endlessDate);
    await settled();
    expect((await listed()).map(({ document }) => document.uid)).toEqual([mended.uid]);
    await send('ALTER TABLE document DISABLE TRIGGER document_search_update');
    await lay(laid, endlessDate);
    await send(`UPDATE document SET properties = properties - 'dc:created' WHERE id = '${mended.uid}'`);
    await send('ALTER TABLE document ENABLE TRIGGER document_search_update');
    expect((await build()).isDone).toBe(true);
    expect((await listed()).map(({ document }) => document.uid)).toEqual([laid.uid]);
    expect([await found('laid badly'), await found('to mend')]).toEqual([0, 1]);
    expect((await compare(true)).differing).toBe(0);
    await send(`DELETE FROM job WHERE kind = 'index-document'`);
    expect([(await compare(true)).differing, (await compare(false)).differing]).toEqual([1, 1]);
    expect((await listed()).map(({ document }) => document.uid)).toEqual([laid.uid]);
    await server.request.delete(`/api/v1/id/${laid.uid}`).expect(204);
    await settled();
    expect([await listed(), (await compare(true)).differing]).toEqual([[], 0]);
  });
});

describe('A document that is too large to be indexed as a whole', () => {
  const words = (query: string) =>
    server.request
      .get('/api/v1/search/execute')
      .query({ query: `SELECT * FROM Document WHERE ${query}`, pageSize: 10 })
      .expect(200);

  test('is found by its first terms, and by those of its single properties', async () => {
    const [document] = await many(['large one']);
    if (!document) throw new Error('no document');
    await lay(
      document,
      `jsonb_build_object(
        'files:files', (SELECT jsonb_agg('{}'::jsonb) FROM generate_series(1, 300000)),
        'dc:subjects', (SELECT jsonb_agg('subject ' || n) FROM generate_series(1, 60000) n),
        'dc:source', 'a single one')`,
    );
    await settled();
    for (const query of [
      `dc:title = 'large one'`,
      `dc:source = 'a single one'`,
      `dc:subjects = 'subject 50000'`,
      `ecm:fulltext = '50000'`,
    ]) {
      const { body } = await words(query);
      expect([query, body.resultsCount]).toEqual([query, 1]);
    }
    expect(await listed()).toEqual([]);
  });

  test('is found by as many of its words as fit', async () => {
    const texts = ['left', 'right'].map(
      (side) => `(SELECT string_agg('${side}' || n, ' ') FROM generate_series(1, 60000) n)`,
    );
    const [note, longest] = (await many(['note', 'longest'])) as [DocumentEntity, DocumentEntity];
    await lay(note, `jsonb_build_object('note:note', ${texts[0]})`);
    await lay(
      longest,
      `jsonb_build_object('dc:description', repeat('x', 9000000), 'note:note', ${texts[1]} || repeat(' again and', 800000))`,
    );
    await settled();
    const query = `ecm:fulltext = 'left60000'`;
    expect((await words(query)).body.entries).toMatchObject([{ uid: note.uid }]);
    expect((await words(`dc:title = 'longest' AND ecm:fulltext = 'longest'`)).body.resultsCount).toBe(1);
    expect(await listed()).toEqual([]);
  });
});
