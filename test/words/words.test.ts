import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createWordAnalysis, plainAnalysis, type WordAnalysis } from '../../src/words/atoms.ts';
import { fold } from '../../src/words/fold.ts';
import { searchLanguages, stemmerOf } from '../../src/words/language.ts';
import { tsqueryOf } from '../../src/words/query.ts';
import { WordVector } from '../../src/words/vector.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

async function vectorOf(text: string, analysis: WordAnalysis = plainAnalysis): Promise<string> {
  const vector = new WordVector(analysis);
  await vector.add(text, { weight: 'D' });
  return vector.toString();
}

/** Whether PostgreSQL finds words in a text, for each of some pairs. */
async function matches(
  pairs: ReadonlyArray<readonly [text: string, words: string]>,
  { isPrefix = false, analysis = plainAnalysis } = {},
): Promise<boolean[]> {
  const vectors = await Promise.all(pairs.map(([text]) => vectorOf(text, analysis)));
  const queries = pairs.map(([, words]) => tsqueryOf(analysis, words, { isPrefix }));
  const rows = await server.database.query<{ found: boolean }>(
    {
      name: '',
      text: 'SELECT v.words @@ v.query AS found FROM unnest($1::tsvector[], $2::tsquery[]) AS v (words, query)',
    },
    [vectors, queries],
  );
  return rows.map(({ found }) => found);
}

const find = async (text: string, words: string, options = {}): Promise<boolean | undefined> =>
  (await matches([[text, words]], options))[0];

describe('§4.7 the words of a text', () => {
  test.each([
    ['foo\u00a0bar', ['foo', 'bar', 'foo bar']],
    ['the “final” text', ['final', 'the final text']],
    ['2019–2020', ['2019', '2020']],
    ['Janet <jdodo@acme.test>', ['jdodo', 'acme', 'acme.test', 'jdodo@acme.test']],
    ['List<Stringy> R&Dept;', ['list', 'stringy', 'r', 'dept', 'R&Dept']],
    ['Łódź Søren œuvre Straße', ['lodz', 'soren', 'oeuvre', 'strasse', 'STRASSE', 'ŁÓDŹ']],
    ['مُحَمَّد שָׁלוֹם', ['محمد', 'שלום']],
    ['ΣΊΣΥΦΟΣ', ['σίσυφος', 'σισυφοσ']],
    ['ﬁnal ｆｕｌｌ ｶﾞｷﾞ', ['final', 'full', 'ガギ']],
    ['sil\u00adben', ['silben', 'sil', 'ben']],
    ['Quire™ H₂O 10 m² 5㎏ ½', ['quire', 'h2o', 'm2', 'kg', '½']],
    ['annual-report_2024.PDF', ['annual', 'report', '2024', 'annual-report_2024.pdf', 'annual-report_2024']],
    ['https://example.com/a/b?c=d', ['example.com', 'https://example.com/a/b?c=d', 'b']],
    ['v1.2.3 and O’Brien', ['v1.2.3', "O'Brien", 'brien', '2']],
    ['東京都庁の展望台', ['東京都庁', '展望台', '京都', '望', '台', '東京都庁の展望台']],
    ['สวัสดีชาวโลก', ['สวัสดี', 'ชาว', 'โลก']],
    ['iPhone用のケース', ['iphone', '用', 'ケース', 'iPhone用']],
  ])('of %j are found: %j', async (text, words) => {
    expect(await matches(words.map((word) => [text, word]))).toEqual(words.map(() => true));
  });

  test.each([
    ['foo bar', ['fo', 'foobar', 'bar foo']],
    ['東京都庁', ['東都', '京庁', '庁の', '東 都']],
    ['คาก', ['กา', 'คก']],
    ['report_2026.pdf', ['2026 report', 'report.2027', 'eport']],
  ])('of %j do not contain %j', async (text, words) => {
    expect(await matches(words.map((word) => [text, word]))).toEqual(words.map(() => false));
  });

  test('are found by their beginnings', async () => {
    const isPrefix = true;
    expect(await find('annual-report_2024.pdf', 'annual-rep', { isPrefix })).toBe(true);
    expect(await find('東京都庁の展望台', '展望', { isPrefix })).toBe(true);
    expect(await find('Łódź', 'lo', { isPrefix })).toBe(true);
    expect(await find('report', 'eport', { isPrefix })).toBe(false);
  });

  const letters = fc.oneof(
    { weight: 5, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
    {
      weight: 2,
      arbitrary: fc.string({ unit: fc.constantFrom(...'aäåßłøœıİςΣσдйґ東京ดี한글가ﾊﾟが½ﷺ²™'), maxLength: 8 }),
    },
  );
  const separators = fc.constantFrom(' ', '\u00a0', '\n', '—', '、', '“', '…', '\u200b', '!', '; ');
  const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

  test('of a random text are found as they are, folded, and by a beginning; other words find nothing', async () => {
    const samples = fc.sample(
      fc.tuple(fc.array(fc.tuple(letters, separators), { minLength: 1, maxLength: 8 }), letters),
      { numRuns: 400, seed: 20261129 },
    );
    const asWritten: Array<[string, string]> = [];
    const folded: Array<[string, string]> = [];
    const beginnings: Array<[string, string]> = [];
    const others: Array<[string, string]> = [];
    for (const [parts, other] of samples) {
      const text = parts.flat().join('');
      if (text.includes('\0')) continue;
      const atoms = [...plainAnalysis.atomsOf(text)].map((atom) => atom.folded);
      for (const word of wordsOf(text)) {
        if (fold(word).match(/[\p{L}\p{N}]/u) === null) continue; // only marks
        asWritten.push([text, word]);
        beginnings.push([text, [...word].slice(0, Math.ceil([...word].length / 2)).join('')]);
      }
      for (const atom of atoms) if ([...plainAnalysis.atomsOf(atom)].length === 1) folded.push([text, atom]);
      const [only, ...more] = plainAnalysis.atomsOf(other);
      if (only && more.length === 0 && !atoms.includes(only.folded)) others.push([text, other]);
    }
    expect(others.length).toBeGreaterThan(20);
    const missed = async (pairs: Array<[string, string]>, isPrefix: boolean, wanted: boolean) => {
      const found = await matches(pairs, { isPrefix });
      return pairs.filter((_, index) => found[index] !== wanted);
    };
    expect(await missed(asWritten, false, true)).toEqual([]);
    expect(await missed(folded, false, true)).toEqual([]);
    expect(
      await missed(
        beginnings.filter(([, word]) => /[\p{L}\p{N}]/u.test(fold(word))),
        true,
        true,
      ),
    ).toEqual([]);
    expect(await missed(others, false, false)).toEqual([]);
  });

  test('folding is idempotent, and does not depend on case or normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
          expect(fold(text.normalize(form))).toBe(fold(text));
      }),
      { numRuns: 500 },
    );
  });

  test('have their places in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        let end = 0;
        for (const atom of plainAnalysis.atomsOf(text)) {
          expect(atom.start).toBeGreaterThanOrEqual(atom.end === end ? 0 : end);
          expect(atom.end).toBeGreaterThan(atom.start);
          expect(fold(text.slice(atom.start, atom.end))).toContain(atom.folded);
          end = atom.end;
        }
      }),
    );
  });

  test.each([
    ['one word', 'x'.repeat(1_000_000)],
    ['one compound', 'x.'.repeat(500_000)],
    ['many distinct words', Array.from({ length: 150_000 }, (_, index) => index.toString(36)).join(' ')],
    ['the same word', 'word '.repeat(200_000)],
    [
      'Chinese characters',
      Array.from({ length: 400_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join(
        '',
      ),
    ],
  ])('of a long text, %s, fit into a tsvector', async (_, text) => {
    const [row] = await server.database.query<{ length: number }>(
      { name: '', text: 'SELECT length($1::tsvector) AS length' },
      [await vectorOf(text)],
    );
    expect(row?.length).toBeGreaterThan(0);
  });

  test('that are adjacent far into a long text are found as a phrase', async () => {
    const text = `${'filler '.repeat(40_000)} needle haystack foo-bar 東京都`;
    expect(
      await matches(['needle haystack', 'foo-bar', '京都', 'bar foo'].map((words) => [text, words])),
    ).toEqual([
      true,
      true,
      true,
      true, // beyond the positions that PostgreSQL stores, the order is not compared
    ]);
  });
});

describe('SEARCH_LANGUAGE', () => {
  test('has a stemmer for each language', async () => {
    for (const language of searchLanguages)
      expect((await stemmerOf(language))?.('abc')).toEqual(expect.any(String));
    expect(await stemmerOf('klingon')).toBeUndefined();
    expect(await stemmerOf('constructor')).toBeUndefined();
  });

  test('finds words by stems that are made before accents are removed', async () => {
    const stemOf = await stemmerOf('french');
    if (!stemOf) throw new Error('French has no stemmer.');
    const analysis = createWordAnalysis({ name: 'french', stemOf });
    expect(await find('Les résumés des réunions', 'résumé', { analysis })).toBe(true);
    expect(await find('Les résumés des réunions', 'REUNIONS', { analysis })).toBe(true);
  });
});
