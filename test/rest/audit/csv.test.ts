import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { toCsv } from '../../../src/model/csv.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { audit } from './audit-requests.ts';

const server = useServer();

const csv = (uid: string, accept = 'text/csv', query = {}) =>
  audit(server, { uid }, query).set('Accept', accept);

/** Creates a document with a log entry for each comment. */
async function commented(...comments: string[]): Promise<string> {
  const { uid } = await createDocument(server, { name: 'a, "quoted" name' });
  const data = comments.map((comment) => ({
    repository: 'default',
    docUuid: uid,
    eventId: 'said',
    category: 'test',
    principalName: 'ann',
    comment,
    eventDate: new Date(),
    extended: { 'a "key"': [1, 'x,y'] },
  }));
  await server.database.prisma.logEntry.createMany({ data });
  return uid;
}

describe('§2.6 @audit as CSV', () => {
  test('has a header line and the same entries as the JSON page', async () => {
    const uid = await commented('one', 'two\nlines, "three" words', 'žluťoučký 日本');
    const response = await csv(uid).expect(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers.vary).toContain('Accept');
    const { body } = await audit(server, { uid }).expect(200);
    const [names = [], ...rows] = parse(response.text, { relax_column_count: false });
    expect(names).toEqual([
      'id',
      'category',
      'principalName',
      'comment',
      'docLifeCycle',
      'docPath',
      'docType',
      'docUUID',
      'eventId',
      'repositoryId',
      'eventDate',
      'logDate',
      'extended',
    ]);
    const shown = (value: unknown) =>
      value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    expect(rows).toEqual(
      body.entries.map((entry: Record<string, unknown>) => names.map((name: string) => shown(entry[name]))),
    );
  });

  test('supports the same filters and paging', async () => {
    const uid = await commented('one', 'two', 'three');
    const { text } = await csv(uid, 'text/csv', { eventId: 'said', pageSize: 1, currentPageIndex: 1 });
    expect(parse(text, { columns: true })).toMatchObject([{ eventId: 'said', comment: 'two' }]);
    await csv(uid, 'text/csv', { startEventDate: 'x' }).expect(400);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1'])(
    'prefixes %j with an apostrophe, so that it is no formula',
    async (comment) => {
      const { text } = await csv(await commented(comment)).expect(200);
      expect(parse(text, { columns: true })[0]).toMatchObject({ comment: `'${comment}` });
    },
  );

  test.each([
    ['text/csv', 'text/csv'],
    ['text/csv, application/json;q=0.5', 'text/csv'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['text/*', 'text/csv'],
  ])('is negotiated: Accept: %s answers %s', async (accept, type) => {
    const { headers } = await csv(await commented(), accept).expect(200);
    expect(headers['content-type']).toContain(type);
  });

  test('answers 406 to other media types, and where there is no CSV', async () => {
    const uid = await commented();
    await csv(uid, 'image/png').expect(406);
    await server.request.get(`/api/v1/id/${uid}/@acl`).set('Accept', 'text/csv').expect(406);
  });
});

describe('toCsv', () => {
  test('preserves any text, except for the apostrophes before formulas', () => {
    const text = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '=', "'", ' ', 'a', 'é', '😀') });
    fc.assert(
      fc.property(fc.array(fc.record({ one: text, two: text }), { maxLength: 5 }), (entries) => {
        const guarded = (value: string) =>
          value
            .replace(/^(?=\r)/, "'")
            .replace(/(^'?|[\n\r])(?= *=)/g, (start) => (start === "'" ? start : `${start}'`));
        const read = parse(toCsv(['one', 'two'], entries), { record_delimiter: '\r\n' });
        expect(read).toEqual([
          ['one', 'two'],
          ...entries.map(({ one, two }) => [guarded(one), guarded(two)]),
        ]);
      }),
    );
  });

  test.each(['one\ntwo', 'one\rtwo', 'one\r\ntwo', '\n', 'one "two"', 'one,two'])('quotes %j', (text) => {
    expect(toCsv(['a', 'b'], [{ a: text, b: '' }], false)).toBe(`"${text.replaceAll('"', '""')}",\r\n`);
  });

  test.each([
    ['=1', "'=1"],
    ['  @SUM(A1)', "'  @SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['＝1', "'＝1"],
    ['one\n=1', '"one\n\'=1"'],
    ['one\r -1', '"one\r\' -1"'],
    ['one\r\n+1', '"one\r\n\'+1"'],
    ['one\u2028=1', "one\u2028'=1"],
    ['1 = 1', '1 = 1'],
  ])('puts an apostrophe before the formulas of %j', (text, cell) => {
    expect(toCsv(['a'], [{ a: text }], false)).toBe(`${cell}\r\n`);
  });

  test('leaves numbers as they are', () => {
    expect(toCsv(['a'], [{ a: -5 }], false)).toBe('-5\r\n');
  });
});
