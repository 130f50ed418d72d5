import { createDocument } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';
import { type Given, type Mutation, onDocumentWith, type Places, usual } from './mutation.ts';
import { described } from './properties.ts';

const refused = (
  params: Record<string, unknown>,
  message: RegExp,
  status = 400,
): Mutation['refuses'][number] => ({
  given: onDocumentWith(params),
  status,
  message,
});

/** A document without values, and one with values. */
const besideDescribed = async (server: TestServer): Promise<Places> => {
  const { document: source, parent } = await described(server);
  return { ...(source && { source }), ...(parent && { parent }), document: await createDocument(server) };
};

const fromSource = ({ document, source }: Places): Given => ({
  input: document?.uid,
  params: { schema: 'dublincore', sourceId: source?.uid },
});

const dublincore = { schema: 'dublincore' };

/** Operations that change all properties of a schema. */
export const schemaMutations: Readonly<Record<string, Mutation>> = {
  'Document.CopySchema': {
    ...usual,
    make: besideDescribed,
    given: fromSource,
    answers: ({ document }) => ({
      uid: document?.uid,
      title: 'A',
      properties: { 'dc:subjects': ['art', 'sciences'], 'files:files': [] },
    }),
    needs: { document: ['WriteProperties'], source: ['Read'] },
    refuses: [
      refused({ sourceId: '/' }, /^schema is missing$/),
      refused(dublincore, /^Exactly one of sourceId and sourcePath is required\.$/),
      refused({ ...dublincore, sourceId: '/', sourcePath: '/' }, /^Exactly one/),
      refused({ ...dublincore, sourcePath: '/nosuch' }, /^There is no document at \/nosuch\.$/, 404),
      refused({ ...dublincore, sourcePath: '/', saveDocument: false }, /^saveDocument must be one of true$/),
      refused(
        { schema: 'odd', sourcePath: '/' },
        /^schema: The document \S+ does not have the schema odd\.$/,
      ),
      refused(
        { schema: 'file', sourcePath: '/default-domain' },
        /^schema: The document \S+ does not have the schema file\.$/,
      ),
      {
        given: ({ parent, source }) => ({
          input: parent?.uid,
          params: { schema: 'file', sourceId: source?.uid },
        }),
        status: 400,
        message: /^schema: The document \S+ does not have the schema file\.$/,
      },
    ],
    records: [['documentModified', 'document']],
  },
  'Document.ResetSchema': {
    ...usual,
    make: described,
    given: onDocumentWith(dublincore),
    answers: ({ document }) => ({
      uid: document?.uid,
      title: document?.name,
      properties: { 'dc:title': null, 'dc:subjects': [], 'dc:creator': 'Administrator', 'files:files': [{}] },
    }),
    needs: { document: ['WriteProperties'] },
    refuses: [
      refused({}, /^Either schema or xpath is required\.$/),
      refused({ schema: 'odd' }, /^schema: The document \S+ does not have the schema odd\.$/),
      refused({ schema: 'picture' }, /^schema: The document \S+ does not have the schema picture\.$/),
      refused({ xpath: 'odd' }, /^unknown property: odd$/),
      refused({ ...dublincore, saveDocument: false }, /^saveDocument must be one of true$/),
    ],
    records: [['documentModified', 'document']],
  },
};
