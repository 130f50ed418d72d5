import { describe, expect, test } from '@jest/globals';
import type { DirectoryDefinition, FieldDefinition, FieldType } from '../../../src/model/definitions.ts';
import type { Directory } from '../../../src/model/model.ts';
import { ModelError } from '../../../src/model/model-error.ts';
import { modelOf } from '../model-of.ts';

type Fields = Record<string, FieldDefinition | FieldType>;

const usual: Fields = { id: 'string', number: 'long', label: 'string', parent: 'string', many: 'string[]' };

function directoriesOf(definitions: DirectoryDefinition[], fields: Fields = usual) {
  const schemas = [{ name: 's', prefix: 'p', fields }];
  return modelOf({
    schemas,
    directories: definitions,
  }).directories;
}

function directoryOf(definition: Partial<DirectoryDefinition>): Directory {
  const directory = directoriesOf([{ name: 'd', schema: 's', ...definition }]).get('d');
  if (!directory) throw new Error('the model lacks its directory');
  return directory;
}

describe('a directory', () => {
  test('has the id field id, no parent and no system flag by default', () => {
    expect(directoryOf({})).toMatchObject({
      idField: 'id',
      generatesIds: false,
      parent: undefined,
      children: [],
      isSystem: false,
    });
  });

  test('has fields without a prefix', () => {
    const { schema } = directoryOf({});
    expect([...schema.properties.values()].map(({ xpath }) => xpath)).toEqual(Object.keys(usual));
  });

  test('has the type system, in addition to its own types, if it is a system directory', () => {
    expect(directoryOf({ system: true }).types).toEqual(['system']);
    expect(directoryOf({ system: true, types: ['a', 'system'] }).types).toEqual(['a', 'system']);
  });

  test('has its child directories, and a parent field that refers to its parent', () => {
    const directories = directoriesOf([
      { name: 'a', schema: 's' },
      { name: 'b', schema: 's', parent: 'a' },
      { name: 'c', schema: 's', parent: 'c' },
      { name: 'd', schema: 's', parent: 'a' },
    ]);
    const children = Object.fromEntries([...directories].map(([name, { children: those }]) => [name, those]));
    expect(children).toEqual({ a: ['b', 'd'], b: [], c: ['c'], d: [] });
    const refersTo = directories.get('b')?.schema.properties.get('parent')?.refersTo;
    expect(refersTo).toEqual({ to: 'directory', directory: 'a' });
    expect(directories.get('a')?.schema.properties.get('parent')?.refersTo).toBeUndefined();
  });
});

describe('errors of a directory', () => {
  const cases: Array<[string, Partial<DirectoryDefinition>, string, string, Fields?]> = [
    ['no such field for ids', { idField: 'key' }, '.idField', 'no field named key'],
    ['ids that are numbers', { idField: 'number' }, '.idField', 'must be a string'],
    ['ids that are lists', { idField: 'many' }, '.idField', 'must be a string'],
    ['generated ids that are texts', { generatedId: true }, '.idField', 'must be a long'],
    [
      'entries with generated ids',
      { idField: 'number', generatedId: true, entries: [{ number: 1 }] },
      '.entries',
      'generated',
    ],
    ['no such secret', { secrets: ['label', 'key'] }, '.secrets[1]', 'no field named key'],
    ['a secret number', { secrets: ['number'] }, '.secrets[0]', 'is not a string'],
    ['a secret list', { secrets: ['many'] }, '.secrets[0]', 'is not a string'],
    ['a secret id', { secrets: ['id'] }, '.secrets[0]', 'an id cannot be secret'],
    [
      'a parent that is a list',
      { parent: 'd' },
      '.parent',
      'must be a string',
      { id: 'string', parent: 'string[]' },
    ],
    ['an ordering by fractions', {}, '.schema', 's.ordering', { id: 'string', ordering: 'double' }],
    ['an ordering by many', {}, '.schema', 's.ordering', { id: 'string', ordering: 'long[]' }],
    ['a blob', {}, '.schema', 's.file is a blob', { id: 'string', file: 'blob' }],
    [
      'a blob further inside',
      {},
      '.schema',
      's.files is a blob',
      { id: 'string', files: { type: 'complex[]', fields: { file: 'blob' } } },
    ],
    [
      'a field that every object has',
      {},
      '.schema',
      'constructor',
      Object.fromEntries([
        ['id', 'string'],
        ['constructor', 'string'],
      ]),
    ],
  ];

  test.each(cases)('%s is reported with its location', (...[, definition, location, words, fields]) => {
    let thrown: unknown;
    try {
      directoriesOf([{ name: 'd', schema: 's', ...definition }], fields);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ModelError);
    expect((thrown as ModelError).faults).toEqual([
      { location: `directories.d${location}`, fault: expect.stringContaining(words) },
    ]);
  });
});
