import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { segmentsOf, soughtWords } from '../../src/query/highlight.ts';

const phrasesOf = (text: string) =>
  soughtWords({ kind: 'compare', property: 'ecm:fulltext', op: '=', value: text }).flatMap(
    ({ phrases }) => phrases,
  );

/** What a browser shows of HTML without other markup than <em>. */
const shown = (html: string): string =>
  html
    .replace(/<\/?em>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('§4.9 segments', () => {
  test('hold no markup but <em>, and otherwise the text itself', () => {
    const text = fc.string({
      unit: fc.constantFrom(...['<b>', '</em>', '&', '&lt;', '"', "'", ' ', 'word ', 'Wörd', '\n', '🎉']),
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, fc.constantFrom('word', 'word*', '"word word"', 'b', 'lt'), (whole, words) => {
        const segments = segmentsOf(whole, phrasesOf(words));
        for (const segment of segments) {
          expect(segment).toMatch(/<em>/);
          expect(segment.replace(/<em>[^<>]*<\/em>/g, '')).not.toMatch(/[<>]/);
          expect(whole).toContain(shown(segment));
        }
      }),
    );
  });

  test('are five at most', () => {
    const text = Array(20)
      .fill(`word${' other'.repeat(30)}`)
      .join(' ');
    expect(segmentsOf(text, phrasesOf('word'))).toHaveLength(5);
  });

  test('mark a prefix wherever it is the last word of what is looked for', () => {
    expect(segmentsOf('Annual reports, reporting', phrasesOf('repo*'))).toEqual([
      'Annual <em>reports</em>, <em>reporting</em>',
    ]);
    expect(segmentsOf('annual reports; reports annual', phrasesOf('annual-rep*'))).toEqual([
      '<em>annual</em> <em>reports</em>; reports annual',
    ]);
  });

  test.each(['', '*', '-word', '"', '...'])('none for %j', (words) => {
    expect(segmentsOf('word', phrasesOf(words))).toEqual([]);
  });
});
