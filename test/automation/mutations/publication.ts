import { expect } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';
import { by, documentInFolder, type Given, type Mutation, type Places, usual } from './mutation.ts';

/** A document and a section. */
const besideSection = async (server: TestServer): Promise<Places> => ({
  ...(await documentInFolder(server)),
  section: await createDocument(server, { type: 'Section', parent: '/default-domain/sections' }),
});

/** A document that is published in a section. */
const published = async (server: TestServer): Promise<Places> => {
  const places = await besideSection(server);
  const params = { target: places.section?.uid };
  return { ...places, proxy: await by(server, 'Document.PublishToSection', places.document, params) };
};

const intoSection = ({ document, section }: Places): Given => ({
  input: document?.uid,
  params: { target: section?.uid },
});

const publishing: Omit<Mutation, 'answers'> = {
  make: besideSection,
  given: intoSection,
  needs: { document: ['Read'], section: ['AddChildren'] },
  refuses: [
    { given: ({ document }) => ({ input: document?.uid }), status: 400, message: /^target is missing$/ },
    {
      given: ({ document }) => ({ input: document?.uid, params: { target: '/nosuch' } }),
      status: 404,
      message: /^There is no document at \/nosuch\.$/,
    },
    {
      given: ({ document }) => ({ input: document?.uid, params: { target: document?.path } }),
      status: 400,
      message: /is not a folder\.$/,
    },
    {
      given: ({ parent, section }) => ({ input: parent?.uid, params: { target: section?.uid } }),
      status: 400,
      message: /^Documents of type Folder have no versions, /,
    },
  ],
  records: [
    ['documentCheckedIn', 'document'],
    ['documentProxyPublished', 'answer'],
    ['sectionContentPublished', 'section'],
    ['documentPublished', 'document'],
  ],
};

const unpublishing: Omit<Mutation, 'answers'> = {
  ...usual,
  make: published,
  needs: { document: ['Read'], proxy: ['Remove'], section: ['RemoveChildren'] },
  sees: { proxy: ['Read'] },
  refuses: [{ given: () => ({}), status: 400, message: /accepts document, not nothing\.$/ }],
  records: [
    ['proxyRemoved', 'proxy'],
    ['documentUnpublished', 'document'],
  ],
};

const renditionIntoSection = (places: Places): Given => {
  const { input, params } = intoSection(places);
  return { input, params: { ...params, renditionName: 'xmlExport' } };
};

/** Operations that publish documents in sections, and end that. */
export const publicationMutations: Readonly<Record<string, Mutation>> = {
  'Document.PublishToSection': {
    ...publishing,
    answers: ({ document, section }) => ({
      isProxy: true,
      versionableId: document?.uid,
      parentRef: section?.uid,
    }),
  },
  'Document.PublishToSections': {
    ...publishing,
    answers: ({ section }) => ({ 'entity-type': 'documents', entries: [{ parentRef: section?.uid }] }),
    refuses: [
      ...publishing.refuses,
      {
        given: ({ document }) => ({ input: document?.uid, params: { target: [] } }),
        status: 400,
        message: /^target: at least one section is required$/,
      },
    ],
  },
  PublishRendition: {
    ...publishing,
    given: renditionIntoSection,
    answers: ({ document, section }) => ({
      isProxy: true,
      versionableId: document?.uid,
      parentRef: section?.uid,
      facets: expect.arrayContaining(['Rendition']),
      properties: { 'file:content': { 'mime-type': 'text/xml' } },
    }),
    refuses: [
      ...publishing.refuses,
      {
        given: ({ document, section }) => ({
          input: document?.uid,
          params: { target: section?.uid, renditionName: 'odd' },
        }),
        status: 404,
        message: /has no rendition odd\.$/,
      },
    ],
  },
  'Document.RemoveProxies': { ...unpublishing, answers: usual.answers },
  'Document.UnpublishAll': { ...unpublishing, answers: () => null },
};
