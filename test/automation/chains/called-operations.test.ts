import { describe, expect, test } from '@jest/globals';
import type { ChainDefinition } from '../../../src/model/chains/chain-definitions.ts';
import { grant, only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { startServer, statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { folderWith } from './chain-documents.ts';

const chains: ChainDefinition[] = [
  {
    name: 'rename',
    operations: [{ id: 'Document.SetProperty', params: { xpath: 'dc:title', value: 'expr:item["title"]' } }],
  },
  {
    name: 'toItem',
    operations: [
      { id: 'Context.RestoreDocumentInput', params: { name: 'item' } },
      {
        id: 'Document.Update',
        params: { properties: 'expr:dc:title=of @{item.name}\ndc:description=@{text}' },
      },
    ],
  },
];

const server = useServer({}, { chains });
const bob = useUser(server, 'bob', ['members']);

describe('§4.7 RunOperationOnList', () => {
  const onList = (input: unknown, params: object, context: object, request = server.request) =>
    call(request, 'RunOperationOnList', { input, params: { ...params }, context });

  test('calls a chain with each item of a variable', async () => {
    const { documents } = await folderWith(server, 1);
    const [document] = documents as [DocumentEntity];
    const items = [{ title: 'a' }, { title: 'b' }];
    const { body } = await onList(document.uid, { id: 'rename', list: 'items' }, { items }).expect(200);
    expect(body).toMatchObject({ uid: document.uid, title: 'b' });
  });

  test('calls an operation whose parameters name the item', async () => {
    const { folder, documents } = await folderWith(server, 3);
    const list = documents.map(({ uid }) => uid);
    const parameters = { name: 'expr:one' };
    await onList(
      '/',
      { id: 'Document.GetChild', list: documents.map(({ name }) => name), itemName: 'one', parameters },
      {},
    ).expect(404);
    const found = { list, itemName: 'one', id: 'toItem', parameters: {} };
    await onList(folder.uid, { ...found, itemName: 'item' }, { text: 'x\ndc:nature=odd' }).expect(400);
  });

  test('is refused without a list, and with an unknown variable', async () => {
    const refusal = async (params: object, context: object = {}) =>
      (await onList('/', { id: 'rename', ...params }, context).expect(400)).body.message;
    expect(await refusal({})).toBe('list is missing');
    expect(await refusal({ list: 'nosuch' })).toBe('There is no variable nosuch.');
    expect(await refusal({ list: 'a' }, { a: 1 })).toBe('a is not a list.');
    expect(
      await refusal(
        { list: 'a' },
        { a: [1], ...Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`v${index}`, 0])) },
      ),
    ).toBe('There must be at most 1000 variables.');
  });

  test('runs a bounded number of operations', async () => {
    const { folder } = await folderWith(server, 0);
    const list = Array.from({ length: 1000 }, () => folder.uid);
    const nested = {
      id: 'RunOperationOnList',
      list,
      parameters: { id: 'Context.SetVar', list, parameters: { name: 'x', value: 1 } },
    };
    const { body } = await onList('/', nested, {}).expect(400);
    expect(body.message).toBe('The call runs more than 10000 operations.');
  });

  test('costs as many statements for each item, and no more for the later ones', async () => {
    const { documents } = await folderWith(server, 1);
    const [document] = documents as [DocumentEntity];
    const cost = async (count: number) => {
      const items = Array.from({ length: count }, (_, index) => ({ title: `${count} ${index}` }));
      return statements(await onList(document.uid, { id: 'rename', list: 'items' }, { items }).expect(200));
    };
    await cost(1);
    const [two, four, eight] = [await cost(2), await cost(4), await cost(8)];
    expect(eight - four).toBe(2 * (four - two));
  });
});

describe('the variables of an operation that is called', () => {
  const chainOf = (isolate: boolean) => ({
    id: 'RunOperation',
    parameters: { id: 'Context.SetVar', isolate, newTx: true, parameters: { name: 'a', value: 'inside' } },
  });

  test('end with it where it is isolated', async () => {
    for (const [isolate, expected] of [
      [true, 'outside'],
      [false, 'inside'],
    ] as const) {
      const sequence = [
        { id: 'RunOperation', params: chainOf(isolate).parameters },
        { id: 'Document.Update', params: { properties: { 'dc:title': 'expr:a' } } },
      ];
      await using other = await startServer({}, { chains: [{ name: 'sequence', operations: sequence }] });
      const { uid } = await createDocument(other);
      const { body } = await call(other.request, 'sequence', {
        input: uid,
        context: { a: 'outside' },
      }).expect(200);
      expect(body.title).toBe(expected);
    }
  });
});

describe('§4.7 operations on lists', () => {
  test('read the ACLs of all documents in one statement', async () => {
    const costOf = async (ends: readonly number[]) => {
      const uids: string[] = [];
      for (const year of ends) {
        const { uid, path } = await createDocument(server);
        await setAcl(server, path, [{ ...grant('bob', 'Everything'), end: `${year}-01-01T00:00:00.000Z` }]);
        uids.push(uid);
      }
      return statements(await call(bob, 'Document.Lock', { input: uids }).expect(200));
    };
    await costOf([2090, 2090]);
    expect(await costOf([2101, 2102, 2103, 2104, 2105])).toBe(await costOf([2100, 2100, 2100, 2100, 2100]));
  });

  test('are refused before a document is locked with which the caller may do nothing', async () => {
    const [own, other] = [await createDocument(server), await createDocument(server)];
    await setAcl(server, other.path, only('Administrator', 'Everything'));
    const lists = [
      { id: 'RunDocumentOperation', input: [own.uid, other.uid], params: { id: 'Document.Fetch' } },
      { id: 'Document.Trash', input: [own.uid, other.uid] },
      { id: 'Document.Copy', input: [own.uid, own.path], params: { target: other.uid } },
    ];
    await server.database.prisma.$transaction(
      async (blocker) => {
        await blocker.$queryRaw`SELECT id FROM document WHERE id = ${other.uid}::uuid FOR UPDATE`;
        for (const { id, ...given } of lists) {
          const { body } = await call(bob, id, given).expect(403);
          expect(body.message).toBe(
            `Privilege 'Read' is not granted to 'bob' on the document with the id ${other.uid}.`,
          );
        }
        await call(bob, 'Document.Trash', { input: [own.uid, '/nowhere'] }).expect(404);
      },
      { timeout: 60_000 },
    );
  });
});
