import type { Permission } from '../../src/security/permissions.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import type { TestServer } from '../support/server.ts';
import { collectionMutations } from './collection-mutations.ts';

/** Documents by the names that a case has for them. */
export type Places = Readonly<Record<string, DocumentEntity>>;

/** What an operation is given. */
export interface Given {
  readonly input?: unknown;
  readonly params?: Record<string, unknown>;
}

/** All that is claimed of an operation that writes: `mutations.test.ts` tries every word of it. */
export interface Mutation {
  /** Makes what it works on, anew for each try. */
  readonly make: (server: TestServer) => Promise<Places>;
  readonly given: (places: Places) => Given;
  /** What it answers, as far as it is worth saying; null is 204. */
  readonly answers: (places: Places) => Record<string, unknown> | null;
  /** What a user must be allowed to do, and where: with all of it he may, without any one of it he may not. */
  readonly needs: Readonly<Record<string, readonly Permission[]>>;
  /** What it does not take, and how it says so. */
  readonly refuses: ReadonlyArray<{
    readonly given: (places: Places) => Given;
    readonly status: number;
    readonly message: RegExp;
  }>;
  /** The events that it leaves in the audit, each with the document that it is about. */
  readonly records: ReadonlyArray<readonly [eventId: string, about: string]>;
}

/** A document in a folder. */
export const documentInFolder = async (server: TestServer): Promise<Places> => {
  const parent = await createDocument(server, { type: 'Folder' });
  return { parent, document: await createDocument(server, { parent: parent.path }) };
};

/** A document in a folder, and another folder beside that. */
const inTwoFolders = async (server: TestServer): Promise<Places> => ({
  ...(await documentInFolder(server)),
  target: await createDocument(server, { type: 'Folder' }),
});

const intoTarget = ({ document, target }: Places): Given => ({
  input: document?.uid,
  params: { target: target?.uid },
});

const onDocument = ({ document }: Places): Given => ({ input: document?.uid });
const sameDocument = ({ document }: Places) => ({ 'entity-type': 'document', uid: document?.uid });

/** What most have in common: they work on a document and answer it. */
const usual = { make: documentInFolder, given: onDocument, answers: sameDocument } as const;

/** Has an operation done to a document; answers what that is then. */
async function by(
  { request }: TestServer,
  operation: string,
  document: DocumentEntity | undefined,
  params: object = {},
): Promise<DocumentEntity> {
  const input = document?.uid;
  const { status, text, body } = await request
    .post(`/api/v1/automation/${operation}`)
    .send({ input, params });
  if (status >= 300) throw new Error(`${operation}: ${text}`);
  return body;
}

/** A document in a folder, to which an operation has been done. */
const documentAfter =
  (operation: string, params?: object) =>
  async (server: TestServer): Promise<Places> => {
    const places = await documentInFolder(server);
    return { ...places, document: await by(server, operation, places.document, params) };
  };

/** What changes a property of a document, or its facets. */
const onProperties = (
  params: Record<string, unknown>,
  answers: Record<string, unknown>,
  wrong: { params: Record<string, unknown>; message: RegExp },
): Mutation => ({
  ...usual,
  given: ({ document }) => ({ input: document?.uid, params }),
  answers: () => answers,
  needs: { document: ['WriteProperties'] },
  refuses: [
    {
      given: ({ document }) => ({ input: document?.uid, params: { ...params, ...wrong.params } }),
      status: 400,
      message: wrong.message,
    },
    {
      given: ({ document }) => ({ input: document?.uid, params: { ...params, save: false } }),
      status: 400,
      message: /^save: is none of true$/,
    },
  ],
  records: [['documentModified', 'document']],
});

const noProperty = { params: { xpath: 'odd' }, message: /^unknown property: odd$/ };
const noFacet = { params: { facet: 'Odd' }, message: /^Facet: Odd does not exist$/ };

/** A document in a folder, with a list and a title. */
const described = documentAfter('Document.Update', {
  properties: {
    'dc:title': 'A',
    'dc:subjects': ['art', 'sciences'],
    'files:files': [{ file: { content: 'x' } }],
  },
});

/** Two documents in a folder whose content is put in order. */
const inOrder = async (server: TestServer): Promise<Places> => {
  const parent = await createDocument(server, { type: 'OrderedFolder' });
  const first = await createDocument(server, { parent: parent.path });
  return { parent, first, document: await createDocument(server, { parent: parent.path }) };
};

/** What changes the ACLs of a document. */
const onAcls = (params: Record<string, unknown>): Mutation => ({
  ...usual,
  given: ({ document }) => ({ input: document?.uid, params }),
  needs: { document: ['WriteSecurity'] },
  refuses: [
    {
      given: ({ document }) => ({ input: document?.uid, params: { ...params, acl: 'inherited' } }),
      status: 400,
      message: /inherited/,
    },
  ],
  records: [['documentSecurityUpdated', 'document']],
});

/** The same on a document that has an ACL already. */
const onItsAcl = (params: Record<string, unknown>, operation: string, before: object = {}): Mutation => ({
  ...onAcls(params),
  make: documentAfter(operation, before),
});

const forBob = { user: 'bob', permission: 'WriteSecurity' };

/** Every operation that writes documents. */
export const mutations: Readonly<Record<string, Mutation>> = {
  ...collectionMutations,
  'Document.AddACE': onAcls({ user: 'bob', permission: 'Read' }),
  'Document.AddEntryToMultivaluedProperty': onProperties(
    { xpath: 'dc:subjects', value: 'art' },
    { isVersion: false },
    noProperty,
  ),
  'Document.AddFacet': onProperties({ facet: 'Thumbnail' }, { type: 'File' }, noFacet),
  'Document.AddItemToListProperty': onProperties(
    { xpath: 'files:files', complexJsonProperties: '[{"file": {"content": "x"}}]' },
    { type: 'File' },
    noProperty,
  ),
  'Document.AddPermission': onAcls({ users: ['bob'], permission: 'Read' }),
  'Document.BlockPermissionInheritance': onAcls({}),
  'Document.Copy': {
    ...usual,
    make: inTwoFolders,
    given: intoTarget,
    answers: ({ document, target }) => ({ path: `${target?.path}/${document?.name}`, type: document?.type }),
    needs: { document: ['Read'], target: ['AddChildren'] },
    refuses: [
      { given: ({ document }) => ({ input: document?.uid }), status: 400, message: /^target: is missing$/ },
      {
        given: ({ document }) => ({ input: document?.uid, params: { target: '/nosuch' } }),
        status: 404,
        message: /^\/nosuch$/,
      },
      {
        given: ({ document, target }) => ({
          input: document?.uid,
          params: { target: target?.uid, name: ' ' },
        }),
        status: 400,
        message: /blank/,
      },
      {
        given: ({ target }) => ({ input: '/', params: { target: target?.uid } }),
        status: 403,
        message: /root/,
      },
      {
        given: ({ parent, document }) => ({ input: parent?.uid, params: { target: document?.path } }),
        status: 409,
        message: /cannot be put into itself$/,
      },
    ],
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
    refuses: [{ given: () => ({}), status: 400, message: /takes a folder$/ }],
    records: [['documentRemoved', 'document']],
  },
  'Document.FollowLifecycleTransition': {
    ...usual,
    given: ({ document }) => ({ input: document?.uid, params: { value: 'approve' } }),
    answers: ({ document }) => ({ uid: document?.uid, state: 'approved' }),
    needs: { document: ['WriteLifeCycle'] },
    refuses: [
      {
        given: ({ document }) => ({ input: document?.uid, params: { value: 'fly' } }),
        status: 400,
        message: /^"fly" is none of approve, obsolete, backToProject, delete, undelete$/,
      },
      {
        given: ({ document }) => ({ input: document?.uid, params: { value: 'backToProject' } }),
        status: 409,
        message: /^backToProject does not lead on from project: approve, obsolete, delete would$/,
      },
    ],
    records: [['lifecycle_transition_event', 'document']],
  },
  'Document.Move': {
    ...usual,
    make: inTwoFolders,
    given: intoTarget,
    answers: ({ document, target }) => ({ uid: document?.uid, path: `${target?.path}/${document?.name}` }),
    needs: { document: ['Remove'], parent: ['RemoveChildren'], target: ['AddChildren'] },
    refuses: [
      {
        given: ({ document }) => ({ input: document?.uid }),
        status: 400,
        message: /^target, name: one of them must be given$/,
      },
      {
        given: ({ document }) => ({ input: document?.uid, params: { target: '/nosuch' } }),
        status: 404,
        message: /^\/nosuch$/,
      },
      {
        given: ({ document, target }) => ({
          input: document?.uid,
          params: { target: target?.uid, name: '..' },
        }),
        status: 400,
        message: /^name: "\.\." cannot be a path segment$/,
      },
      {
        given: ({ target }) => ({ input: '/', params: { target: target?.uid } }),
        status: 403,
        message: /root/,
      },
      {
        given: ({ parent, document }) => ({ input: parent?.uid, params: { target: document?.path } }),
        status: 409,
        message: /cannot be put into itself$/,
      },
    ],
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
      { given: ({ parent }) => ({ input: parent?.uid }), status: 400, message: /is no folder whose content/ },
      {
        given: ({ document }) => ({ input: document?.uid, params: { before: '/nosuch' } }),
        status: 404,
        message: /nosuch/,
      },
    ],
    records: [['documentModified', 'parent']],
  },
  'Document.RemoveACL': onItsAcl({ acl: 'local' }, 'Document.AddACE', forBob),
  'Document.RemoveEntryOfMultivaluedProperty': {
    ...onProperties({ xpath: 'dc:subjects', value: 'art' }, { type: 'File' }, noProperty),
    make: described,
  },
  'Document.RemoveFacet': {
    ...onProperties({ facet: 'Thumbnail' }, { type: 'File' }, noFacet),
    make: documentAfter('Document.AddFacet', { facet: 'Thumbnail' }),
  },
  'Document.RemoveItemFromListProperty': {
    ...onProperties({ xpath: 'files:files', index: 0 }, { type: 'File' }, noProperty),
    make: described,
  },
  'Document.RemovePermission': onItsAcl({ user: 'bob' }, 'Document.AddACE', forBob),
  'Document.RemoveProperty': {
    ...onProperties({ xpath: 'dc:title' }, { type: 'File' }, noProperty),
    make: described,
  },
  'Document.ReplacePermission': onItsAcl(
    { id: 'bob:WriteSecurity:true:Administrator::', username: 'Everyone', permission: 'Read' },
    'Document.AddACE',
    forBob,
  ),
  'Document.SetProperty': onProperties({ xpath: 'dc:title', value: 'New' }, { title: 'New' }, noProperty),
  'Document.Trash': {
    ...usual,
    answers: ({ document }) => ({ uid: document?.uid, isTrashed: true }),
    needs: { document: ['Remove'], parent: ['RemoveChildren'] },
    refuses: [{ given: () => ({ input: '/' }), status: 403, message: /root/ }],
    records: [['documentTrashed', 'document']],
  },
  'Document.UnblockPermissionInheritance': onItsAcl({}, 'Document.BlockPermissionInheritance'),
  'Document.Untrash': {
    ...usual,
    make: documentAfter('Document.Trash'),
    answers: ({ document }) => ({ uid: document?.uid, isTrashed: false }),
    needs: { document: ['Remove'], parent: ['RemoveChildren'] },
    refuses: [{ given: () => ({}), status: 400, message: /takes document, not nothing/ }],
    records: [['documentUntrashed', 'document']],
  },
  'Document.Update': {
    ...usual,
    given: ({ document }) => ({ input: document?.uid, params: { properties: 'dc:title=New' } }),
    answers: ({ document }) => ({ uid: document?.uid, title: 'New' }),
    needs: { document: ['WriteProperties'] },
    refuses: [
      {
        given: ({ document }) => ({ input: document?.uid, params: { properties: 'odd=1' } }),
        status: 400,
        message: /^unknown property: odd/,
      },
    ],
    records: [['documentModified', 'document']],
  },
  'Document.Lock': {
    ...usual,
    needs: { document: ['WriteProperties'] },
    refuses: [{ given: () => ({}), status: 400, message: /takes document, not nothing/ }],
    records: [['documentLocked', 'document']],
  },
  'Document.Unlock': {
    ...usual,
    make: documentAfter('Document.Lock'),
    needs: { document: ['Unlock'] },
    refuses: [{ given: () => ({ input: ['x', 1] }), status: 400, message: /input/ }],
    records: [['documentUnlocked', 'document']],
  },
};
