import type { TestServer } from '../../support/server.ts';
import {
  by,
  documentAfter,
  documentInFolder,
  type Mutation,
  onDocumentWith,
  type Places,
  usual,
} from './mutation.ts';

const refused = (params: Record<string, unknown>, message: RegExp): Mutation['refuses'][number] => ({
  given: onDocumentWith(params),
  status: 400,
  message,
});

/** The refusal of a folder, because folders have no versions. */
const unversioned = (params: Record<string, unknown>): Mutation['refuses'][number] => ({
  given: ({ parent }) => ({ input: parent?.uid, params }),
  status: 400,
  message: /^Documents of type Folder have no versions, /,
});

/** A document that has changed since its version was created. */
const changedSince = async (server: TestServer): Promise<Places> => {
  const { document, ...places } = await documentInFolder(server);
  await by(server, 'Document.CheckIn', document, { version: 'minor' });
  const version = await by(server, 'Document.GetLastVersion', document);
  const properties = { 'dc:title': 'Later' };
  return { ...places, version, document: await by(server, 'Document.Update', document, { properties }) };
};

/** Operations that create and restore versions. */
export const versionMutations: Readonly<Record<string, Mutation>> = {
  'Document.CheckIn': {
    ...usual,
    given: onDocumentWith({ version: 'minor' }),
    answers: ({ document }) => ({ uid: document?.uid, isVersion: false, isCheckedOut: false }),
    needs: { document: ['WriteProperties'] },
    refuses: [
      refused({}, /^version is missing$/),
      refused({ version: 'medium' }, /^version must be one of none, minor, major$/),
      refused({ version: 1 }, /^version/),
      unversioned({ version: 'minor' }),
    ],
    records: [['documentCheckedIn', 'document']],
  },
  'Document.CheckOut': {
    ...usual,
    make: documentAfter('Document.CheckIn', { version: 'major' }),
    answers: ({ document }) => ({ uid: document?.uid, isVersion: false, isCheckedOut: true }),
    needs: { document: ['WriteProperties'] },
    refuses: [{ given: () => ({}), status: 400, message: /accepts document, not nothing\.$/ }],
    records: [['documentCheckedOut', 'document']],
  },
  'Document.CreateVersion': {
    ...usual,
    given: onDocumentWith({ increment: 'Minor' }),
    answers: ({ document }) => ({ uid: document?.uid, isVersion: false, isCheckedOut: false }),
    needs: { document: ['WriteProperties'] },
    refuses: [
      refused({ increment: 'x' }, /^increment must be one of None, Minor, Major$/),
      refused({ saveDocument: false }, /^saveDocument /),
      unversioned({ increment: 'Minor' }),
    ],
    records: [['documentCheckedIn', 'document']],
  },
  'Document.RestoreVersion': {
    ...usual,
    make: changedSince,
    given: ({ version }) => ({ input: version?.uid }),
    answers: ({ document, version }) => ({
      uid: document?.uid,
      isVersion: false,
      isCheckedOut: false,
      title: version?.title,
    }),
    needs: { document: ['WriteVersion', 'ReadVersion'] },
    refuses: [
      { given: ({ document }) => ({ input: document?.uid }), status: 400, message: /is not a version\.$/ },
      {
        given: ({ version }) => ({ input: version?.uid, params: { checkout: 'maybe' } }),
        status: 400,
        message: /^checkout must be true or false$/,
      },
    ],
    records: [['documentRestored', 'document']],
  },
};
