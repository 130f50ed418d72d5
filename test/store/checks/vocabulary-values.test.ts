import { expect, test } from '@jest/globals';
import type { Session } from '../../../src/db/database.ts';
import { folderLine, useLineImports } from '../../import/line-imports.ts';
import { everyType } from '../../rest/documents/every-type.ts';
import { createDocument } from '../../support/documents.ts';
import { checkConsistency } from '../consistency.ts';
import { runCheck } from './check-support.ts';

const { server, importing } = useLineImports({}, everyType);
checkConsistency(server);

const values = (options = {}) => runCheck(server, 'values', options);

const deleteEntry = (directory: string, id: string) =>
  server.request.delete(`/api/v1/directory/${directory}/${encodeURIComponent(id)}`).expect(204);

test('§4.5 the check lists single, listed, hierarchical and nested values of deleted entries, which are not faults', async () => {
  const entry = { 'entity-type': 'directoryEntry', directoryName: 'topic', properties: { id: 'own topic' } };
  await server.request.post('/api/v1/directory/topic').send(entry).expect(201);
  const nested = { 'li:owner': 'x', 'li:lines': [{}, { topics: ['art', 'own topic'] }] };
  const limited = await createDocument(server, { type: 'Limited', properties: nested });
  const file = await createDocument(server, {
    properties: {
      'dc:nature': 'article',
      'dc:subjects': ['art/cinema', 'sciences/astronomy', 'art/architecture'],
      'dc:coverage': 'europe/France',
    },
  });
  const kept = { 'dc:nature': 'certificate', 'dc:subjects': ['art/cinema'], 'dc:coverage': null };
  await createDocument(server, { properties: kept });
  expect((await values()).note).toMatchObject({ counts: { values: 0, documents: 0 }, details: [] });

  await deleteEntry('nature', 'article');
  await deleteEntry('l10nsubjects', 'astronomy');
  await deleteEntry('l10nsubjects', 'architecture');
  await deleteEntry('l10ncoverage', 'France');
  await deleteEntry('topic', 'own topic');
  const { faults, note } = await values({ isRepairing: true });
  expect(faults).toEqual([]);
  expect(note).toMatchObject({ counts: { values: 5, documents: 2 } });
  const inFile = { kind: 'entry', repository: 'default', id: file.uid, path: file.path };
  const says = (directory: string, entry: string, xpath: string, path = file.path): string =>
    `${directory} has no entry "${entry}", but ${xpath} refers to it in ${path}`;
  expect(note?.details).toEqual([
    { ...inFile, message: says('l10ncoverage', 'France', 'dc:coverage') },
    { ...inFile, message: says('nature', 'article', 'dc:nature') },
    { ...inFile, message: says('l10nsubjects', 'architecture', 'dc:subjects') },
    { ...inFile, message: says('l10nsubjects', 'astronomy', 'dc:subjects') },
    {
      ...inFile,
      id: limited.uid,
      path: limited.path,
      message: says('topic', 'own topic', 'li:lines/*/topics', limited.path),
    },
  ]);
});

test('§4.5 the check lists at most 100 entries, with complete counts, and reads 2,000 documents with a statement', async () => {
  const before = (await values()).note?.counts ?? {};
  const { path, line } = folderLine();
  const documents = Array.from({ length: 2_100 }, (_, index) => ({
    path: `${path}/${index}`,
    type: 'Note',
    properties: { 'dc:nature': 'gone', 'dc:subjects': [`gone-${index}`, `art/${'x'.repeat(200)}`] },
  }));
  const stored = { skipsExisting: false, areStored: true };
  expect(await importing([line, ...documents], stored)).toMatchObject({ fault: undefined });
  let statements = 0;
  const counted: Pick<Session, 'query'> = {
    query: (...given) => {
      statements += 1;
      return server.database.query(...given);
    },
  };
  const database = Object.create(server.database, { query: { value: counted.query } });
  const { note } = await values({ database });
  expect(note?.counts).toEqual({
    values: Number(before.values) + 6_300,
    documents: Number(before.documents) + 2_100,
  });
  expect(statements).toBe(3);
  const details = note?.details ?? [];
  expect(details).toHaveLength(100);
  const messages = details.map(({ message }) => message);
  expect(messages).toContainEqual(
    expect.stringMatching(
      /^nature has no entry "gone", but dc:nature refers to it 2100 times, for example in /,
    ),
  );
  expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(300);
});
