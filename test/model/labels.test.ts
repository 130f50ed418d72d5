import { describe, expect, test } from '@jest/globals';
import { labelText, languages } from '../../src/model/labels.ts';

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
});
