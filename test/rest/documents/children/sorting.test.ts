import { describe, expect, test } from '@jest/globals';
import type { ModelDefinition } from '../../../../src/model/definitions.ts';
import { createDocument, type DocumentEntity, namesIn } from '../../../support/documents.ts';
import { useServer } from '../../../support/server.ts';
import { children, createFolder } from './children-requests.ts';

/** A type with top-level numbers and a boolean, which the built-in types do not have. */
const model: Partial<ModelDefinition> = {
  schemas: [{ name: 'measured', prefix: 'm', fields: { size: 'long', weight: 'double', good: 'boolean' } }],
  types: [{ name: 'Measured', parent: 'File', schemas: ['measured'] }],
};

const server = useServer({}, model);

/** Creates a folder with a child for each set of properties, named `a`, `b`, `c` … */
async function folderOf(type: string, rows: ReadonlyArray<Record<string, unknown>>): Promise<DocumentEntity> {
  const folder = await createFolder(server);
  for (const [index, properties] of rows.entries()) {
    const name = String.fromCharCode(97 + index);
    await createDocument(server, { parent: folder.path, type, name, properties });
  }
  return folder;
}

const sorted = async (folder: DocumentEntity, query: string): Promise<string> =>
  namesIn(await children(server, folder, query).expect(200)).join('');

describe('the order of @children', () => {
  test('is by ascending title by default', async () => {
    const folder = await folderOf('File', [
      { 'dc:title': 'gamma' },
      { 'dc:title': 'alpha' },
      { 'dc:title': 'beta' },
    ]);
    expect(await sorted(folder, '')).toBe('bca');
  });

  test('uses the name of documents without a title', async () => {
    const folder = await folderOf('File', [{ 'dc:title': 'bb' }, {}, { 'dc:title': 'aa' }]);
    expect(await sorted(folder, '')).toBe('cba');
  });

  test('follows a changed title', async () => {
    const folder = await folderOf('File', [{ 'dc:title': 'alpha' }, { 'dc:title': 'beta' }]);
    const change = { 'entity-type': 'document', properties: { 'dc:title': 'omega' } };
    await server.request.put(`/api/v1/path${folder.path}/a`).send(change).expect(200);
    expect(await sorted(folder, '')).toBe('ba');
  });

  test('is total for equal titles, so that pages do not overlap', async () => {
    const folder = await folderOf('File', Array(5).fill({ 'dc:title': 'same' }));
    const pages = await Promise.all(
      [0, 1, 2, 3, 4].map((index) => sorted(folder, `?pageSize=1&currentPageIndex=${index}`)),
    );
    expect([...pages].sort().join('')).toBe('abcde');
  });
});

describe('@children with sortBy and sortOrder', () => {
  test('sort in ascending order for asc only', async () => {
    const folder = await folderOf('File', [{ 'dc:title': '1' }, { 'dc:title': '2' }, { 'dc:title': '3' }]);
    expect(await sorted(folder, '?sortBy=dc:title&sortOrder=asc')).toBe('abc');
    expect(await sorted(folder, '?sortBy=dc:title&sortOrder=ASC')).toBe('abc');
    for (const order of ['&sortOrder=desc', '&sortOrder=DESC', '&sortOrder=up', '']) {
      expect([order, await sorted(folder, `?sortBy=dc:title${order}`)]).toEqual([order, 'cba']);
    }
  });

  test('sort by a string', async () => {
    const folder = await folderOf('File', [{ 'dc:source': 'n' }, { 'dc:source': 'm' }, { 'dc:source': 'o' }]);
    expect(await sorted(folder, '?sortBy=dc:source&sortOrder=asc')).toBe('bac');
    expect(await sorted(folder, '?sortBy=dc:source&sortOrder=desc')).toBe('cab');
  });

  test('sort by a date in UTC', async () => {
    const folder = await folderOf('File', [
      { 'dc:issued': '2024-03-01T12:00:00+05:00' },
      { 'dc:issued': '2024-03-01T08:00:00Z' },
      { 'dc:issued': '2023-12-31' },
    ]);
    expect(await sorted(folder, '?sortBy=dc:issued&sortOrder=asc')).toBe('cab');
  });

  test('sort by a whole number by its value, not its digits', async () => {
    const folder = await folderOf('Measured', [{ 'm:size': 10 }, { 'm:size': 9 }, { 'm:size': -100 }]);
    expect(await sorted(folder, '?sortBy=m:size&sortOrder=asc')).toBe('cba');
    expect(await sorted(folder, '?sortBy=m:size&sortOrder=desc')).toBe('abc');
  });

  test('sort by a fractional number up to 1e300', async () => {
    const folder = await folderOf('Measured', [
      { 'm:weight': 1e300 },
      { 'm:weight': 0.5 },
      { 'm:weight': 2.25 },
    ]);
    expect(await sorted(folder, '?sortBy=m:weight&sortOrder=asc')).toBe('bca');
  });

  test('sort by a boolean', async () => {
    const folder = await folderOf('Measured', [{ 'm:good': true }, { 'm:good': false }]);
    expect(await sorted(folder, '?sortBy=m:good&sortOrder=asc')).toBe('ba');
  });

  test.each(['asc', 'desc'])('place unset values last when %s', async (order) => {
    const folder = await folderOf('Measured', [{}, { 'm:size': 1, 'dc:source': 'x' }]);
    expect(await sorted(folder, `?sortBy=m:size&sortOrder=${order}`)).toBe('ba');
    expect(await sorted(folder, `?sortBy=dc:source&sortOrder=${order}`)).toBe('ba');
  });

  test.each(['ecm:name', 'ecm:path'])('sort by %s', async (xpath) => {
    const folder = await folderOf('File', [{ 'dc:title': '3' }, { 'dc:title': '2' }, { 'dc:title': '1' }]);
    expect(await sorted(folder, `?sortBy=${xpath}&sortOrder=asc`)).toBe('abc');
  });

  test.each([
    '?sortBy=dc:source,m:size&sortOrder=asc,desc',
    '?sortBy=dc:source&sortBy=m:size&sortOrder=asc&sortOrder=desc',
    '?sortBy=dc:source,m:size&sortOrder=asc',
  ])('sort by several keys, the first being the most significant: %s', async (query) => {
    const folder = await folderOf('Measured', [
      { 'dc:source': 'y', 'm:size': 1 },
      { 'dc:source': 'x', 'm:size': 1 },
      { 'dc:source': 'x', 'm:size': 2 },
      { 'dc:source': 'y', 'm:size': 2 },
    ]);
    expect(await sorted(folder, query)).toBe('cbda');
  });

  test('sort across pages', async () => {
    const folder = await folderOf('Measured', [{ 'm:size': 3 }, { 'm:size': 1 }, { 'm:size': 2 }]);
    expect(await sorted(folder, '?sortBy=m:size&sortOrder=asc&pageSize=2')).toBe('bc');
    expect(await sorted(folder, '?sortBy=m:size&sortOrder=asc&pageSize=2&currentPageIndex=1')).toBe('a');
  });

  test.each([
    'dc:nothing',
    'nothing:title',
    'dc:subjects',
    'dc:contributors',
    'files:files',
    'file:content',
    'constructor',
    '__proto__',
    'd.title; DROP TABLE document',
    "dc:title' OR '1'='1",
  ])('refuse to sort by %s with 400 and the name of the property', async (xpath) => {
    const { body } = await server.request.get('/api/v1/path/@children').query({ sortBy: xpath }).expect(400);
    expect(body.message).toContain(xpath.split(',')[0]);
  });
});
