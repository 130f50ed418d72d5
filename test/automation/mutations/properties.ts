import { documentAfter, type Mutation, usual } from './mutation.ts';

/** An operation that changes a property or a facet of a document. */
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
      message: /^save must be one of true$/,
    },
  ],
  records: [['documentModified', 'document']],
});

const noProperty = { params: { xpath: 'odd' }, message: /^unknown property: odd$/ };
const noFacet = { params: { facet: 'Odd' }, message: /^Facet: Odd does not exist\./ };

/** A document in a folder, with a list and a title. */
export const described = documentAfter('Document.Update', {
  properties: {
    'dc:title': 'A',
    'dc:subjects': ['art', 'sciences'],
    'files:files': [{ file: { content: 'x' } }],
  },
});

/** Operations that change properties and facets of a document. */
export const propertyMutations: Readonly<Record<string, Mutation>> = {
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
  'Document.RemoveProperty': {
    ...onProperties({ xpath: 'dc:title' }, { type: 'File' }, noProperty),
    make: described,
  },
  'Document.Save': {
    ...usual,
    needs: { document: ['WriteProperties'] },
    refuses: [{ given: () => ({}), status: 400, message: /accepts document, not nothing\.$/ }],
    records: [],
  },
  'Document.SetProperty': onProperties({ xpath: 'dc:title', value: 'New' }, { title: 'New' }, noProperty),
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
};
