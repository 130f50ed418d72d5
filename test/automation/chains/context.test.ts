import { describe, expect, test } from '@jest/globals';
import type { ChainDefinition } from '../../../src/model/chains/chain-definitions.ts';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { asText, type Call, call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

type Steps = ChainDefinition['operations'];

interface Good {
  /** The chain in which the operation is tried, on a document or on two files. */
  readonly steps: Steps;
  readonly on?: 'files' | 'file';
  readonly answers: (document: DocumentEntity) => unknown;
  /** A faulty call of the operation alone. */
  readonly wrong: Call;
  readonly message: RegExp;
}

const parent = { id: 'Document.GetParent' };
const children = { id: 'Document.GetChildren' };
const keep = { id: 'Context.SetInputAsVar', params: { name: 'it' } };
const restoring = (id: string) => ({ id, params: { name: 'it' } });

const same = ({ uid }: DocumentEntity) => ({ 'entity-type': 'document', uid });
const listed = ({ uid }: DocumentEntity) => ({ 'entity-type': 'documents', entries: [{ uid }] });
const texts = (...contents: readonly string[]) => ({ texts: contents });
const unset = { wrong: { params: { name: 'it' } }, message: /^There is no variable it\.$/ };
const empty = { wrong: {}, message: /^Context\.\w+: there is no \w+ on the stack\.$/ };
const noDocument = { wrong: {}, message: /accepts documents?, not nothing\.$/ };
const noFile = { wrong: {}, message: /accepts bloblist, not nothing\.$/ };

const first = { id: 'Context.PushBlobList' };

const good: Readonly<Record<string, Good>> = {
  'Context.FetchDocument': {
    steps: [{ id: 'Context.FetchDocument' }],
    answers: same,
    ...noDocument,
  },
  'Context.FetchFile': {
    steps: [{ id: 'Context.FetchFile' }],
    on: 'file',
    answers: () => texts('one'),
    ...noFile,
  },
  'Context.SetVar': {
    steps: [
      { id: 'Context.SetVar', params: { name: 'it', value: 'expr:Document' } },
      parent,
      restoring('Context.RestoreDocumentInput'),
    ],
    answers: same,
    wrong: {},
    message: /^name is missing$/,
  },
  'Context.SetInputAsVar': {
    steps: [keep, parent, restoring('Context.RestoreDocumentInput')],
    answers: same,
    wrong: {},
    message: /^name is missing$/,
  },
  'Context.RestoreDocumentInput': {
    steps: [keep, parent, restoring('Context.RestoreDocumentInput')],
    answers: same,
    ...unset,
  },
  'Context.RestoreDocumentsInput': {
    steps: [parent, children, keep, { id: 'Document.Filter' }, restoring('Context.RestoreDocumentsInput')],
    answers: listed,
    ...unset,
  },
  'Context.RestoreBlobInput': {
    steps: [keep, restoring('Context.RestoreBlobInput')],
    on: 'file',
    answers: () => texts('one'),
    ...unset,
  },
  'Context.RestoreBlobsInput': {
    steps: [keep, restoring('Context.RestoreBlobsInput')],
    on: 'files',
    answers: () => texts('one', 'two'),
    ...unset,
  },
  'Context.PushDocument': {
    steps: [{ id: 'Context.PushDocument' }],
    answers: same,
    ...noDocument,
  },
  'Context.PopDocument': {
    steps: [parent, { id: 'Context.PushDocument' }, children, { id: 'Context.PopDocument' }, children],
    answers: listed,
    ...empty,
  },
  'Context.PullDocument': {
    steps: [
      { id: 'Context.PushDocument' },
      parent,
      { id: 'Context.PushDocument' },
      { id: 'Context.PullDocument' },
    ],
    answers: same,
    ...empty,
  },
  'Context.PushDocumentList': {
    steps: [parent, children, { id: 'Context.PushDocumentList' }],
    answers: listed,
    ...noDocument,
  },
  'Context.PopDocumentList': {
    steps: [
      { id: 'Context.PushDocument' },
      parent,
      children,
      { id: 'Context.PushDocumentList' },
      { id: 'Context.PopDocument' },
      { id: 'Context.PopDocumentList' },
    ],
    answers: listed,
    ...empty,
  },
  'Context.PullDocumentList': {
    steps: [parent, children, { id: 'Context.PushDocumentList' }, { id: 'Context.PullDocumentList' }],
    answers: listed,
    ...empty,
  },
  'Context.PushBlob': {
    steps: [{ id: 'Context.PushBlob' }],
    on: 'file',
    answers: () => texts('one'),
    ...noFile,
  },
  'Context.PopBlob': {
    steps: [{ id: 'Context.PushBlob' }, { id: 'Context.PopBlob' }],
    on: 'file',
    answers: () => texts('one'),
    ...empty,
  },
  'Context.PullBlob': {
    steps: [{ id: 'Context.PushBlob' }, { id: 'Context.PullBlob' }],
    on: 'file',
    answers: () => texts('one'),
    ...empty,
  },
  'Context.PushBlobList': {
    steps: [first],
    on: 'files',
    answers: () => texts('one', 'two'),
    ...noFile,
  },
  'Context.PopBlobList': {
    steps: [first, { id: 'Context.PopBlobList' }],
    on: 'files',
    answers: () => texts('one', 'two'),
    ...empty,
  },
  'Context.PullBlobList': {
    steps: [first, { id: 'Context.PullBlobList' }],
    on: 'files',
    answers: () => texts('one', 'two'),
    ...empty,
  },
};

const chains = Object.entries(good).map(([id, { steps }]) => ({ name: `try.${id}`, operations: steps }));
const server = useServer({}, { chains });
const bob = useUser(server, 'bob');

const files = ['one', 'two'].map((content) => ({ content, name: `${content}.txt`, type: 'text/plain' }));
const brought = { file: files.slice(0, 1), files };

const givenOf = ({ on }: Good, { uid }: DocumentEntity): Call =>
  on ? { blobs: brought[on] } : { input: uid };

/** A document alone in a folder. */
async function place(): Promise<DocumentEntity> {
  const folder = await createDocument(server, { type: 'Folder' });
  return createDocument(server, { parent: folder.path });
}

describe.each(Object.entries(good))('%s', (id, row) => {
  const { on, answers, wrong, message } = row;

  test('answers with what it restores, or with its input', async () => {
    const document = await place();
    const sent = call(server.request, `try.${id}`, givenOf(row, document)).expect(200);
    if (!on) expect((await sent).body).toMatchObject(answers(document) as object);
    else {
      const { body } = await asText(sent);
      for (const text of (answers(document) as ReturnType<typeof texts>).texts)
        expect(String(body)).toContain(text);
      expect(String(body).includes('two')).toBe(on === 'files');
    }
  });

  test('needs credentials, and Read on documents', async () => {
    const document = await place();
    await server.anonymous.post(`/api/v1/automation/${id}`).send({}).expect(401);
    if (on) return;
    await setAcl(server, document.path, [deny('Everyone', 'Everything')]);
    await call(bob, `try.${id}`, givenOf(row, document)).expect(403);
  });

  test('refuses what it does not find', async () => {
    const { body } = await call(server.request, id, wrong).expect(400);
    expect(body.message).toMatch(message);
  });
});

test('variables of the caller name documents too (§4.7)', async () => {
  const { uid, path } = await place();
  const restore = async (id: string, it: unknown) =>
    (await call(server.request, id, { params: { name: 'it' }, context: { it } })).body;
  for (const it of [uid, path, `doc:${path}`, { 'entity-type': 'document', uid }])
    expect(await restore('Context.RestoreDocumentInput', it)).toMatchObject({ uid });
  for (const it of [[uid, '/'], `${uid},/`])
    expect((await restore('Context.RestoreDocumentsInput', it)).entries).toHaveLength(2);
  const odd = { status: 400, message: 'it does not contain a document.' };
  for (const it of [{}, 1, '', { input: { kind: 'document', value: { id: uid } } }])
    expect(await restore('Context.RestoreDocumentInput', it)).toMatchObject(odd);
  const forged = { input: { kind: 'bloblist', value: [{ digest: 'x' }] } };
  expect(await restore('Context.RestoreBlobInput', forged)).toMatchObject({
    status: 400,
    message: 'it does not contain a file.',
  });
  expect(await restore('Context.RestoreDocumentInput', [uid, '/'])).toMatchObject({
    status: 400,
    message: 'it does not contain exactly one item.',
  });
});

test('variables name at most 1000 documents (§4.7)', async () => {
  const { uid } = await place();
  const restore = (it: unknown) =>
    call(server.request, 'Context.RestoreDocumentsInput', { params: { name: 'it' }, context: { it } });
  expect((await restore(Array(1000).fill(uid)).expect(200)).body.entries).toHaveLength(1000);
  const [all, some] = [Array(1001).fill(uid), Array(600).fill(uid)];
  for (const [count, it] of [
    [1001, all],
    [1001, all.join(',')],
    [1200, [some, [some]]],
  ] as const)
    expect((await restore(it).expect(400)).body.message).toBe(
      `it: ${count} documents exceed the limit of 1000.`,
    );
});
