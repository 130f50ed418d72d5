import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contradictions } from '../../store/consistency.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { namesWhere, search } from './search-requests.ts';

const server = useServer();
let folder: DocumentEntity;
beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder', name: 'words' });
  const contents: Record<string, Record<string, unknown>> = {
    report: { 'dc:title': 'Annual Report', 'dc:description': 'Figures of every branch' },
    draft: { 'dc:title': 'annual draft', 'dc:subjects': ['art/music'] },
    accents: { 'dc:title': 'Résumé d’Été', 'dc:source': 'Annual-report_2024.PDF' },
    html: { 'note:note': '<p class="zebra">Hello <b>world</b>, it’s me</p>', 'dc:title': 'x' },
    apart: { 'dc:title': 'ends with annual', 'dc:source': 'report begins' },
    dated: { 'dc:title': 'y', 'dc:expired': '2031-07-09' },
  };
  for (const [name, properties] of Object.entries(contents)) {
    await createDocument(server, { parent: folder.path, type: 'Note', name, properties });
  }
});

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
const found = (text: string, property = 'ecm:fulltext') =>
  namesWhere(server.request, `ecm:parentId = '${folder.uid}' AND ${property} = ${quoted(text)}`);

describe('§4.7 full text', () => {
  test.each<[string, string[]]>([
    ['annual report', ['accents', 'apart', 'report']],
    ['REPORT', ['accents', 'apart', 'report']],
    ['"annual report"', ['accents', 'report']],
    ['"report annual"', []],
    ['annual -report', ['draft']],
    ['annual -"annual report"', ['apart', 'draft']],
    ['-annual', []],
    ['-annual OR draft', ['draft']],
    ['draft OR figures', ['draft', 'report']],
    ['annual draft OR figures', ['draft', 'report']],
    ['fig*', ['report']],
    ['fig%', ['report']],
    ['fig', []],
    ['annual-rep*', ['accents', 'report']],
    ['resume', ['accents']],
    ['ÉTÉ', ['accents']],
    ['2024', ['accents']],
    ['annual-report_2024.pdf', ['accents']],
    ['music', ['draft']],
    ['hello world', ['html']],
    ['zebra', []],
    ['2031', []],
    ['', []],
    ['*', []],
    ['"', []],
    ['😀 -annual', []],
    ['nowhere', []],
  ])('%j finds %j', async (text, names) => {
    expect(await found(text)).toEqual(names);
  });

  test('is searched in a single property', async () => {
    expect(await found('annual', 'ecm:fulltext.dc:title')).toEqual(['apart', 'draft', 'report']);
    expect(await found('annual -report', 'ecm:fulltext.dc:title')).toEqual(['apart', 'draft']);
    expect(await found('mus*', 'ecm:fulltext.dc:subjects')).toEqual(['draft']);
    const where = `ecm:parentId = '${folder.uid}' AND NOT ecm:fulltext.dc:title = 'annual'`;
    expect(await namesWhere(server.request, where)).toEqual(['accents', 'dated', 'html']);
  });

  test('is searched in the title by the name of the index that stock servers have', async () => {
    const title = 'ecm:fulltext_title';
    expect(await found('annual', title)).toEqual(['apart', 'draft', 'report']);
    expect(await found('annual -report', title)).toEqual(['apart', 'draft']);
    expect(await found('music', title)).toEqual([]);
    const scored = `SELECT * FROM Document WHERE ${title} = 'annual' ORDER BY ecm:fulltextScore DESC`;
    expect((await search(server.request, scored).expect(200)).body.entries.length).toBeGreaterThan(2);
  });

  test.each(['ecm:fulltext_notes', 'ecm:fulltext_', 'ecm:fulltext_dc:title', 'ecm:fulltext_constructor'])(
    '%s is no index, and 400',
    async (name) => {
      const { body } = await search(server.request, `SELECT * FROM Document WHERE ${name} = 'x'`).expect(400);
      expect(body.message).toContain(`query: at 30: ${name}: there is no full-text index`);
    },
  );

  test('can be combined with other conditions', async () => {
    const inFolder = `ecm:parentId = '${folder.uid}'`;
    const where = (condition: string) => namesWhere(server.request, `${inFolder} AND (${condition})`);
    expect(await where("NOT ecm:fulltext = 'annual'")).toEqual(['dated', 'html']);
    expect(await where("ecm:fulltext = 'draft' OR dc:title = 'x'")).toEqual(['draft', 'html']);
    expect(await where("ecm:fulltext IN ('draft', 'figures')")).toEqual(['draft', 'report']);
    expect(await where("ecm:fulltext <> 'annual' AND ecm:fulltext <> 'hello'")).toEqual(['dated']);
  });

  test('follows changes of the document', async () => {
    const { uid } = await createDocument(server, { parent: folder.path, name: 'changing' });
    const put = (properties: object) => updateDocument(server.request, uid, properties).expect(200);
    await put({ 'dc:title': 'quokka' });
    expect(await found('quokka')).toEqual(['changing']);
    await put({ 'dc:title': 'wombat' });
    expect(await found('quokka')).toEqual([]);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    expect(await found('wombat')).toEqual([]);
    expect(await contradictions(server)).toEqual([]);
  });

  test('is limited for long texts, which are accepted nevertheless', async () => {
    const long = Array.from({ length: 150_000 }, (_, index) => index.toString(36)).join(' ');
    const words = { 'note:note': `aardvark ${long} ${'x'.repeat(5000)} zyzzyva` };
    await createDocument(server, { parent: folder.path, type: 'Note', name: 'long', properties: words });
    const other = {
      'note:note': Array.from({ length: 65_000 }, (_, index) =>
        String.fromCodePoint(0x20000 + (index % 40_000)),
      ).join(' '),
    };
    await createDocument(server, { parent: folder.path, type: 'Note', name: 'wide', properties: other });
    await until(async () => (await found('aardvark')).length > 0); // such texts may take the index over a second
    expect(await found('aardvark')).toEqual(['long']);
    expect(await found('zyzzyva')).toEqual([]);
    expect(await found('aardvark', 'ecm:fulltext.note:note')).toEqual(['long']);
    expect(await found('wide OR aardvark -zyzzyva', 'ecm:fulltext.note:note')).toEqual(['long']);
  });

  test('accepts any generated search text', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('a', '-', '"', '*', 'OR', '&', '|', '!', '(', ')', ':', '<->', '\\', "'", ' '))
        .map((list) => list.join('')),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('$'));
        for (const property of ['ecm:fulltext', 'ecm:fulltext.dc:title']) {
          await search(server.request, `SELECT * FROM Note WHERE ${property} = ${quoted(text)}`).expect(200);
        }
      }),
      { numRuns: 60 },
    );
  });
});
