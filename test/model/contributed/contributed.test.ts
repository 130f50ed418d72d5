import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadModel, readContributed } from '../../../src/model/contributed/contributed.ts';
import { ModelError } from '../../../src/model/model-error.ts';
import { newFolder } from '../../support/folder.ts';

const root = newFolder();
let count = 0;

async function dirWith(files: Record<string, unknown>): Promise<string> {
  count += 1;
  const dir = join(root, String(count));
  await mkdir(dir);
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return dir;
}

async function errorOf(dir: string): Promise<ModelError> {
  const error = await loadModel(dir).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelError) return error;
  throw new Error(`no ModelError but ${String(error)}`);
}

const field = (definition: unknown) => ({ schemas: [{ name: 'invoice', fields: { amount: definition } }] });

describe('a directory of model files', () => {
  test('adds schemas, facets, types and directories, across files', async () => {
    const dir = await dirWith({
      'b.json': {
        types: [
          { name: 'Invoice', parent: 'File', schemas: ['invoice'], facets: ['Payable'], subtypes: ['Note'] },
        ],
      },
      'a.json': {
        schemas: [
          {
            name: 'invoice',
            prefix: 'inv',
            fields: {
              amount: { type: 'double', constraints: { required: true, min: 0 } },
              payer: { type: 'string', refersTo: { to: 'user' } },
              currency: {
                type: 'string',
                refersTo: { to: 'directory', directory: 'currency' },
                default: 'EUR',
              },
              lines: { type: 'complex[]', fields: { text: 'string' } },
            },
          },
        ],
        facets: [{ name: 'Payable' }],
        directories: [{ name: 'currency', schema: 'vocabulary' }],
      },
      'notes.txt': 'not read',
    });

    const files = (await readContributed(dir)).map(({ file }) => file);
    expect(files).toEqual([join(dir, 'a.json'), join(dir, 'b.json')]);
    const model = await loadModel(dir);
    expect(model.types.get('Invoice')?.facets).toContain('Payable');
    expect(model.schemasOf('Invoice', []).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['file', 'dublincore', 'invoice']),
    );
    expect(model.property('inv:lines')?.fields.get('text')?.xpath).toBe('inv:lines/*/text');
    expect(model.directories.has('currency')).toBe(true);
  });

  test('may be empty or unset', async () => {
    expect(await readContributed(await dirWith({}))).toEqual([]);
    expect(await readContributed(undefined)).toEqual([]);
    expect((await loadModel(undefined)).types.has('File')).toBe(true);
  });

  test('is an error if it does not exist', async () => {
    const dir = join(root, 'nowhere');
    expect((await errorOf(dir)).message).toContain(`${dir}: cannot be read as a directory (ENOENT`);
  });
});

describe('errors in the form of a model file', () => {
  test.each([
    ['an unknown list', { typos: [] }, 'typos', 'is not a known field'],
    ['no object', [], '', 'expected object'],
    [
      'an unknown key',
      { facets: [{ name: 'F', schema: ['x'] }] },
      'facets[0].schema',
      'is not a known field',
    ],
    ['no name', { facets: [{}] }, 'facets[0].name', 'expected string'],
    ['no parent of a type', { types: [{ name: 'Invoice' }] }, 'types[0].parent', 'expected string'],
    [
      'an unknown type',
      field({ type: 'money' }),
      'schemas[0].fields.amount.type',
      '"money" is not a field type',
    ],
    ['an unknown type in short', field('money'), 'schemas[0].fields.amount', '"money" is not a field type'],
    ['a number for a field', field(5), 'schemas[0].fields.amount', '5 is not a field type'],
    [
      'an unknown type further down',
      field({ type: 'complex', fields: { a: { type: 'complex[]', fields: { b: 'money' } } } }),
      'schemas[0].fields.amount.fields.a.fields.b',
      '"money"',
    ],
    [
      'an unknown constraint',
      field({ type: 'string', constraints: { size: 1 } }),
      'schemas[0].fields.amount.constraints.size',
      'is not a known field',
    ],
    [
      'an unknown kind of reference',
      field({ type: 'string', refersTo: { to: 'group' } }),
      'schemas[0].fields.amount.refersTo.to',
      'Invalid',
    ],
    [
      'a default that is a list',
      field({ type: 'string', default: [] }),
      'schemas[0].fields.amount.default',
      'Invalid',
    ],
  ])('%s is reported with its file and location', async (_, content, location, words) => {
    const dir = await dirWith({ 'faulty.json': content });
    const error = await errorOf(dir);
    expect(error.faults).toEqual([
      { file: join(dir, 'faulty.json'), location, fault: expect.stringContaining(words) },
    ]);
    expect(error.message.startsWith(join(dir, 'faulty.json'))).toBe(true);
  });

  test('invalid JSON is reported on one line', async () => {
    const dir = await dirWith({ 'faulty.json': '{"types": [\n,]}' });
    const { message } = await errorOf(dir);
    expect(message).toContain(`${join(dir, 'faulty.json')}: cannot be read as JSON (`);
    expect(message).not.toContain('\n');
  });

  test('are reported together, each on its own line', async () => {
    const dir = await dirWith({
      'a.json': { facets: [{ name: 1, x: 1, y: 1 }] },
      'b.json': field({ type: 'money', constraints: { min: '1' } }),
    });
    expect((await errorOf(dir)).message.split('\n').map((line) => line.replace(`${dir}/`, ''))).toEqual([
      expect.stringMatching(/^a.json: facets\[0\]\.name: /),
      'a.json: facets[0].x: is not a known field',
      'a.json: facets[0].y: is not a known field',
      expect.stringMatching(/^b.json: schemas\[0\]\.fields\.amount\.type: /),
      expect.stringMatching(/^b.json: schemas\[0\]\.fields\.amount\.constraints\.min: /),
    ]);
  });
});

describe('errors in the meaning of a model file', () => {
  test.each([
    ['a stock type', { types: [{ name: 'File', parent: 'Document' }] }, 'types.File'],
    ['a stock schema', { schemas: [{ name: 'dublincore', fields: {} }] }, 'schemas.dublincore'],
    ['a stock facet', { facets: [{ name: 'Folderish' }] }, 'facets.Folderish'],
    ['a stock directory', { directories: [{ name: 'nature', schema: 'vocabulary' }] }, 'directories.nature'],
    [
      'a stock prefix',
      { schemas: [{ name: 'x', prefix: 'dc', fields: { title: 'string' } }] },
      'schemas.x.fields.title',
    ],
    [
      'an unknown schema',
      { types: [{ name: 'Invoice', parent: 'File', schemas: ['file', 'x'] }] },
      'types.Invoice.schemas[1]',
    ],
  ])('%s is reported with its file and location', async (_, content, location) => {
    const dir = await dirWith({ 'faulty.json': content });
    expect((await errorOf(dir)).faults).toMatchObject([{ file: join(dir, 'faulty.json'), location }]);
  });

  test('are reported under the file that contains them', async () => {
    const dir = await dirWith({
      'a.json': { types: [{ name: 'Invoice', parent: 'Nothing' }] },
      'b.json': { types: [{ name: 'Invoice', parent: 'File' }] },
    });
    expect((await errorOf(dir)).faults).toEqual([
      { file: join(dir, 'b.json'), location: 'types.Invoice', fault: 'is defined twice' },
      { file: join(dir, 'a.json'), location: 'types.Invoice.parent', fault: 'there is no type Nothing' },
    ]);
  });
});
