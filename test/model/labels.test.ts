import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { filledLabel, labelText, languages } from '../../src/model/labels.ts';

const textsOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(`src/model/data/labels/${language}.json`, 'utf8'));
const placeholders = (text = '') => [...text.matchAll(/\{\w*\}/g)].map(String).sort();

describe('labels', () => {
  test('are translated to each language', () => {
    const key = 'label.directories.country.Germany';
    expect(languages.map((language) => labelText(key, language))).toEqual(['Germany', 'Allemagne']);
  });

  test.each(['label.nosuch', '', 'A text', 'constructor', '__proto__'])(
    'the unknown key %j is its own label',
    (key) => {
      for (const language of languages) expect(labelText(key, language)).toBe(key);
    },
  );

  test('are the same in all languages, with the same values to fill in', () => {
    const english = textsOf('en');
    for (const language of languages) {
      const texts = textsOf(language);
      expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
      for (const [key, text] of Object.entries(texts)) {
        expect(text.trim()).not.toBe('');
        expect([key, placeholders(text)]).toEqual([key, placeholders(english[key])]);
      }
    }
  });

  test('are filled with values that are not filled themselves', () => {
    const key = 'label.schema.constraint.violation.directoryResolver';
    expect(filledLabel(key, 'en', { value: '{directory}', directory: '$& {value}' })).toBe(
      '"{directory}" is not an entry of the directory $& {value}.',
    );
    expect(filledLabel(key, 'en', { value: 'x' })).toBe('"x" is not an entry of the directory .');
  });
});
