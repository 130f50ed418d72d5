import { describe, expect, test } from '@jest/globals';
import { stockModel } from '../../src/model/contributed.ts';
import { createModel } from '../../src/model/create-model.ts';
import { type FirstEntry, readFirstEntries } from '../../src/model/first-entries.ts';

const { directories } = createModel(stockModel);

async function entriesOf(name: string): Promise<FirstEntry[]> {
  const directory = directories.get(name);
  if (!directory) throw new Error(`there is no directory ${name}`);
  return readFirstEntries(directory);
}

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
    const ids = (await entriesOf(name)).map(({ id }) => id);
    expect(ids).toHaveLength(size);
    expect(new Set(ids).size).toBe(size);
  });

  test('entries have numbers where their schema has, and what a new entry starts with', async () => {
    expect((await entriesOf('l10nsubjects')).slice(0, 1)).toEqual([
      {
        id: 'art',
        properties: { label_en: 'Art', label_fr: 'Art', parent: '', obsolete: 0, ordering: 10_000_000 },
      },
    ]);
    const language = (await entriesOf('language')).find(({ id }) => id === 'sp');
    expect(language?.properties.obsolete).toBe(1);
  });

  test('commas, spaces and letters beyond ASCII are kept', async () => {
    const coverage = await entriesOf('l10ncoverage');
    expect(coverage.find(({ id }) => id === 'Aland_Islands')?.properties.label_fr).toBe('Åland');
    expect((await entriesOf('topic')).map(({ id }) => id)).toContain('human sciences');
  });

  test.each([
    ['country', 'continent'],
    ['l10nsubjects', 'l10nsubjects'],
    ['l10ncoverage', 'l10ncoverage'],
  ])('the parents in %s are entries of %s', async (name, parentName) => {
    const parents = new Set<unknown>((await entriesOf(parentName)).map(({ id }) => id));
    for (const { properties } of await entriesOf(name)) {
      expect(properties.parent === '' || parents.has(properties.parent)).toBe(true);
    }
  });

  test.each(['predicates', 'inverse_predicates', 'userDirectory', 'oauth2Clients'])(
    '%s starts without any',
    async (name) => {
      expect(await entriesOf(name)).toEqual([]);
    },
  );
});
