import type { Examples } from './example.ts';
import { atBoth, created, document, workspaces } from './places.ts';

const xpath = 'file:content';
const rename = (title: string) => ({ 'entity-type': 'document', properties: { 'dc:title': title } });
const note = { 'entity-type': 'Note', value: { type: 'Note', title: 'A memo' } };
const [draft, pages] = [created('File', 'draft'), { files: { 'report.txt': 'Another text of the report.' } }];

export const documentExamples: Examples = {
  ...atBoth(({ by, at, within }) => ({
    createDocument: {
      parameters: within,
      body: document('File', by === 'Path' ? 'plan' : 'schedule'),
      gives: { [by === 'Path' ? 'plan' : 'schedule']: 'uid' },
    },
    getDocument: { parameters: at },
    updateDocument: { parameters: at, body: rename('The report') },
    deleteDocument: {
      before: [draft],
      parameters: by === 'Path' ? { path: `${workspaces}/draft` } : { id: '{draft}' },
    },
    getChildren: { parameters: { ...within, pageSize: 2 } },
    getAcls: { parameters: at },
    createAce: { parameters: at, body: { username: 'ina', permission: 'ReadWrite' }, gives: { ace: 'id' } },
    getAce: { parameters: { ...at, ace: '{ace}' } },
    removeAce: { parameters: { ...at, ace: '{ace}' } },
    createVersion: { parameters: at, body: { increment: 'MINOR' }, gives: { version: 'uid' } },
    getVersions: { parameters: { ...at, pageSize: 2 } },
    restoreVersion: { parameters: { ...at, version: '{version}' } },
    publishDocument: { parameters: at, body: { target: '/default-domain/sections/news' } },
    createShareLink: {
      parameters: at,
      body: { 'entity-type': 'shareLink', mode: 'comment' },
      gives: { shareLink: 'id' },
    },
    getShareLinks: { parameters: at },
    addTag: { parameters: { ...at, tag: 'Urgent' } },
    getTags: { parameters: at },
    removeTag: { parameters: { ...at, tag: 'urgent' } },
    trashDocument: {
      before: [draft],
      parameters: by === 'Path' ? { path: `${workspaces}/draft` } : { id: '{draft}' },
    },
    untrashDocument: { parameters: at },
    getAudit: { parameters: { ...at, pageSize: 2 } },
    getEmptyDocument: { parameters: { ...within, type: 'Note' } },
    getBusinessObject: { parameters: { ...at, object: 'File' } },
    updateBusinessObject: {
      parameters: { ...at, object: 'File' },
      body: { 'entity-type': 'File', value: { title: 'The report' } },
    },
    createBusinessObject: { parameters: { ...within, object: 'Note', name: 'memo' }, body: note },
    removeMainBlob: { parameters: at },
    setMainBlob: { parameters: at, ...pages },
    getMainBlob: { parameters: at },
    removeBlob: { parameters: { ...at, xpath } },
    setBlob: { parameters: { ...at, xpath }, ...pages },
    getBlob: { parameters: { ...at, xpath } },
  })),
  getShareLinks: {},
  deleteShareLink: { parameters: { id: '{shareLink}' } },
  getSharedDocuments: {},
  getDocumentsByIds: { parameters: { matrix: 'id={report};id={plan}' } },
  updateDocumentsByIds: {
    parameters: { matrix: 'id={plan};id={schedule}' },
    body: rename('What comes next'),
  },
  deleteDocumentsByIds: { before: [draft], parameters: { matrix: 'id={draft}' } },
  getFile: { parameters: { id: '{report}', path: xpath } },
};
