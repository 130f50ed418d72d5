import { createDocument } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';
import { documentAfter, documentInFolder, type Mutation, type Places, usual } from './mutation.ts';

/** A document in a folder, and another folder. */
const inTwoFolders = async (server: TestServer): Promise<Places> => ({
  ...(await documentInFolder(server)),
  target: await createDocument(server, { type: 'Folder' }),
});

/** What copying and moving a document have in common; `nothing` is the message that refuses a missing input. */
const intoAnother = (nothing: RegExp): Pick<Mutation, 'make' | 'given' | 'refuses'> => {
  const to = (target: string | undefined, name?: string) => ({ target, ...(name !== undefined && { name }) });
  const refused = (
    params: Record<string, unknown>,
    status: number,
    message: RegExp,
  ): Mutation['refuses'][number] => ({
    given: ({ document }) => ({ input: document?.uid, params }),
    status,
    message,
  });
  return {
    make: inTwoFolders,
    given: ({ document, target }) => ({ input: document?.uid, params: to(target?.uid) }),
    refuses: [
      refused({}, 400, nothing),
      refused(to('/nosuch'), 404, /^There is no document at \/nosuch\.$/),
      refused(to('/default-domain', ' '), 400, /blank/),
      refused(to('/default-domain', '..'), 400, /^name: "\.\." cannot be a path segment$/),
      { given: ({ target }) => ({ input: '/', params: to(target?.uid) }), status: 403, message: /root/ },
      {
        given: ({ parent, document }) => ({ input: parent?.uid, params: to(document?.path) }),
        status: 409,
        message: /cannot be moved or copied into itself\.$/,
      },
    ],
  };
};

/** Two documents in an ordered folder. */
const inOrder = async (server: TestServer): Promise<Places> => {
  const parent = await createDocument(server, { type: 'OrderedFolder' });
  const first = await createDocument(server, { parent: parent.path });
  return { parent, first, document: await createDocument(server, { parent: parent.path }) };
};

/** Operations that create, move and delete documents. */
export const placeMutations: Readonly<Record<string, Mutation>> = {
  'Document.Copy': {
    ...usual,
    answers: ({ document, target }) => ({ path: `${target?.path}/${document?.name}`, type: document?.type }),
    needs: { document: ['Read'], target: ['AddChildren'] },
    ...intoAnother(/^target is missing$/),
    records: [
      ['documentDuplicated', 'document'],
      ['documentCreatedByCopy', 'answer'],
    ],
  },
  'Document.Create': {
    ...usual,
    given: ({ parent }) => ({ input: parent?.uid, params: { type: 'File', name: 'new' } }),
    answers: ({ parent }) => ({ type: 'File', path: `${parent?.path}/new` }),
    needs: { parent: ['AddChildren'] },
    refuses: [
      {
        given: ({ parent }) => ({ input: parent?.uid, params: { type: 'Odd' } }),
        status: 400,
        message: /^Type: Odd does not exist/,
      },
    ],
    records: [['documentCreated', 'answer']],
  },
  'Document.Delete': {
    ...usual,
    answers: () => null,
    needs: { document: ['Remove'], parent: ['RemoveChildren'] },
    refuses: [{ given: () => ({ input: '/' }), status: 403, message: /root/ }],
    records: [['documentRemoved', 'document']],
  },
  'Document.EmptyTrash': {
    ...usual,
    make: documentAfter('Document.Trash'),
    given: ({ parent }) => ({ input: parent?.uid }),
    answers: ({ parent }) => ({ uid: parent?.uid }),
    needs: { parent: ['RemoveChildren'] },
    refuses: [{ given: () => ({}), status: 400, message: /must be a folder\.$/ }],
    records: [['documentRemoved', 'document']],
  },
  'Document.Move': {
    ...usual,
    answers: ({ document, target }) => ({ uid: document?.uid, path: `${target?.path}/${document?.name}` }),
    needs: { document: ['Remove'], parent: ['RemoveChildren'], target: ['AddChildren'] },
    ...intoAnother(/^target, name: at least one of them is required$/),
    records: [['documentMoved', 'document']],
  },
  'Document.Order': {
    ...usual,
    make: inOrder,
    given: ({ document, first }) => ({ input: document?.uid, params: { before: first?.uid } }),
    needs: { parent: ['WriteProperties'] },
    refuses: [
      {
        given: ({ document, parent }) => ({ input: document?.uid, params: { before: parent?.uid } }),
        status: 400,
        message: /^before: .* is not in /,
      },
      { given: ({ parent }) => ({ input: parent?.uid }), status: 400, message: /is not ordered/ },
      {
        given: ({ document }) => ({ input: document?.uid, params: { before: '/nosuch' } }),
        status: 404,
        message: /nosuch/,
      },
    ],
    records: [['documentModified', 'parent']],
  },
  'Document.Trash': {
    ...usual,
    answers: ({ document }) => ({ uid: document?.uid, isTrashed: true }),
    needs: { document: ['Remove'], parent: ['RemoveChildren'] },
    refuses: [{ given: () => ({ input: '/' }), status: 403, message: /root/ }],
    records: [['documentTrashed', 'document']],
  },
  'Document.Untrash': {
    ...usual,
    make: documentAfter('Document.Trash'),
    answers: ({ document }) => ({ uid: document?.uid, isTrashed: false }),
    needs: { document: ['Remove'], parent: ['RemoveChildren'] },
    refuses: [{ given: () => ({}), status: 400, message: /accepts document, not nothing/ }],
    records: [['documentUntrashed', 'document']],
  },
};
