import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { searchedWords, highlightedSegments as segmentsIn } from '../../src/query/highlight.ts';
import { plainAnalysis } from '../../src/words/atoms.ts';

const highlightedSegments = (text: string, phrases: Parameters<typeof segmentsIn>[1]) =>
  segmentsIn(text, phrases, plainAnalysis);

const phrasesOf = (text: string) =>
  searchedWords({ kind: 'compare', property: 'ecm:fulltext', op: '=', value: text }, plainAnalysis).flatMap(
    ({ phrases }) => phrases,
  );

/** The text that a browser shows for HTML with <em> as the only markup. */
const shown = (html: string): string =>
  html
    .replace(/<\/?em>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('§4.9 highlighted segments', () => {
  test('are parts of the text with <em> as the only markup', () => {
    const text = fc.string({
      unit: fc.constantFrom('<b>', '</em>', '&', '&lt;', '"', "'", ' ', 'word ', 'Wörd', '\n', '🎉'),
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, fc.constantFrom('word', 'word*', '"word word"', 'b', 'lt'), (whole, words) => {
        const segments = highlightedSegments(whole, phrasesOf(words));
        for (const segment of segments) {
          expect(segment).toMatch(/<em>/);
          expect(segment.replace(/<em>[^<>]*<\/em>/g, '')).not.toMatch(/[<>]/);
          expect(whole).toContain(shown(segment));
        }
      }),
    );
  });

  test('are at most five', () => {
    const text = Array(20)
      .fill(`word${' other'.repeat(30)}`)
      .join(' ');
    expect(highlightedSegments(text, phrasesOf('word'))).toHaveLength(5);
  });

  test('mark a word with a wildcard by its prefix, and only at the end of a phrase', () => {
    expect(highlightedSegments('Annual reports, reporting', phrasesOf('repo*'))).toEqual([
      'Annual <em>reports</em>, <em>reporting</em>',
    ]);
    expect(highlightedSegments('annual reports; reports annual', phrasesOf('annual-rep*'))).toEqual([
      '<em>annual</em> <em>reports</em>; reports annual',
    ]);
  });

  test.each(['', '*', '-word', '"', '...'])('the search %j has none', (words) => {
    expect(highlightedSegments('word', phrasesOf(words))).toEqual([]);
  });
});
