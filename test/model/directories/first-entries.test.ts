import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadModel, stockModel } from '../../../src/model/contributed/contributed.ts';
import { createModel } from '../../../src/model/create-model.ts';
import { type FirstEntry, readFirstEntries } from '../../../src/model/directories/first-entries.ts';
import { newFolder } from '../../support/folder.ts';

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
  ])('%s has %i entries with unique ids', async (name, size) => {
    const ids = (await entriesOf(name)).map(({ id }) => id);
    expect(ids).toHaveLength(size);
    expect(new Set(ids).size).toBe(size);
  });

  test('entries have numbers in numeric fields, and defaults in empty ones', async () => {
    expect((await entriesOf('l10nsubjects')).slice(0, 1)).toEqual([
      {
        id: 'art',
        properties: { label_en: 'Art', label_fr: 'Art', parent: '', obsolete: 0, ordering: 10_000_000 },
      },
    ]);
    const language = (await entriesOf('language')).find(({ id }) => id === 'sp');
    expect(language?.properties.obsolete).toBe(1);
  });

  test('spaces and letters beyond ASCII are kept', async () => {
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
    '%s has no initial entries',
    async (name) => {
      expect(await entriesOf(name)).toEqual([]);
    },
  );
});

describe('faulty entries of a contributed directory', () => {
  const word = { name: 'w', schema: 'word' };
  const schemas = [
    {
      name: 'word',
      fields: {
        id: { type: 'string', constraints: { pattern: '[a-z]' } },
        label: { type: 'string', constraints: { maxLength: 5, required: true } },
        count: 'long',
        flag: 'boolean',
        day: 'date',
      },
    },
  ];

  async function faultsOf(directory: object, files: Record<string, string> = {}): Promise<string[]> {
    const folder = newFolder();
    await writeFile(join(folder, 'w.json'), JSON.stringify({ schemas, directories: [directory] }));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return loadModel(folder).then(
      () => ['it is sound'],
      ({ message }: Error) => message.replaceAll(`${folder}/`, '').split('\n'),
    );
  }

  const place = 'w.json: directories.w.entries[1]: ';
  const good = { id: 'a', label: 'A' };
  test.each([
    ['without an id', { label: 'B' }, 'properties.id is missing'],
    ['with an id twice', { id: 'a', label: 'B' }, 'the id "a" is already used by directories.w.entries[0]'],
    ['with a number for an id', { id: 1, label: 'B' }, 'expected a string'],
    ['with an unknown field', { id: 'b', label: 'B', colour: 'red' }, 'no colour'],
    ['with a text for a number', { id: 'b', label: 'B', count: 'many' }, 'count: expected an integer'],
    ['with a day that there is not', { id: 'b', label: 'B', day: '2020-02-30' }, 'day'],
    ['that breaks a constraint', { id: 'b', label: 'too long' }, 'label: This value is longer than 5'],
    ['with an id that breaks one', { id: 'b c', label: 'B' }, 'id: This value does not match the pattern'],
    ['that lacks a required field', { id: 'b' }, 'label: This field is required.'],
  ])('an entry %s is refused', async (_, wrong, said) => {
    const [line = '', ...others] = await faultsOf({ ...word, entries: [good, wrong] });
    expect(others).toEqual([]);
    expect(line.startsWith(place)).toBe(true);
    expect(line).toContain(said);
  });

  test('faulty lines of a CSV file are reported together, with their numbers', async () => {
    const lines = 'id,label,count,flag\na,A,1,true\nb,"B\nB",x,\n\nc,C,,maybe\na,D,,\n';
    expect(await faultsOf({ ...word, entries: 'w.csv' }, { 'w.csv': lines })).toEqual([
      expect.stringMatching(/^w\.csv: line 4: .*count: expected an integer/),
      expect.stringMatching(/^w\.csv: line 6: .*flag: expected a boolean/),
      'w.csv: line 7: the id "a" is already used by line 2',
    ]);
  });

  test.each([
    ['that is not there', {}, /^w\.csv: cannot be read as CSV \(ENOENT/],
    ['with lines of other lengths', { 'w.csv': 'id,label\na\n' }, /^w\.csv: cannot be read as CSV/],
    ['with an unknown column', { 'w.csv': 'id,label,colour\na,A,red\n' }, /^w\.csv: line 2: .*no colour/],
  ])('a CSV file %s is refused', async (_, files, said) => {
    expect(await faultsOf({ ...word, entries: 'w.csv' }, files)).toEqual([expect.stringMatching(said)]);
  });

  test.each(['../w.csv', '/etc/passwd', 'w.txt', 'sub/w.csv', ''])(
    '%j is refused as the name of a CSV file',
    async (entries) => {
      const [line] = await faultsOf({ ...word, entries });
      expect(line).toMatch(/^w\.json: directories\[0\]\.entries: is not the name of a CSV file/);
    },
  );
});
