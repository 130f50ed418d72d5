import { describe, expect, test } from '@jest/globals';
import { directories } from '../../src/model/directories.ts';
import { readVocabulary } from '../../src/model/vocabularies.ts';

describe('stock vocabularies', () => {
  test.each([
    ['continent', 7],
    ['country', 244],
    ['topic', 5],
    ['subtopic', 52],
    ['l10nsubjects', 58],
    ['l10ncoverage', 251],
    ['nature', 37],
    ['language', 11],
    ['subject', 15],
    ['WorkflowType', 2],
  ])('%s has %i entries with ids of their own', async (name, size) => {
    const ids = (await readVocabulary(name)).map(({ id }) => id);
    expect(ids).toHaveLength(size);
    expect(new Set(ids).size).toBe(size);
    expect(directories.some((directory) => directory.name === name)).toBe(true);
  });

  test('entries have numbers where their schema has', async () => {
    expect((await readVocabulary('l10nsubjects')).slice(0, 1)).toEqual([
      { id: 'art', label_en: 'Art', label_fr: 'Art', parent: '', obsolete: 0, ordering: 10_000_000 },
    ]);
    expect((await readVocabulary('language')).find(({ id }) => id === 'sp')?.obsolete).toBe(1);
  });

  test('commas, spaces and letters beyond ASCII are kept', async () => {
    const coverage = await readVocabulary('l10ncoverage');
    expect(coverage.find(({ id }) => id === 'Aland_Islands')?.label_fr).toBe('Åland');
    expect((await readVocabulary('topic')).map(({ id }) => id)).toContain('human sciences');
  });

  test.each([
    ['country', 'continent'],
    ['l10nsubjects', 'l10nsubjects'],
    ['l10ncoverage', 'l10ncoverage'],
  ])('the parents in %s are entries of %s', async (name, parentName) => {
    const parents = new Set((await readVocabulary(parentName)).map(({ id }) => id));
    for (const { parent } of await readVocabulary(name)) {
      expect(parent === '' || parents.has(parent ?? '')).toBe(true);
    }
  });

  test.each(['predicates', 'userDirectory', '../../facets', ''])('%j comes with none', async (name) => {
    expect(await readVocabulary(name)).toEqual([]);
  });
});
