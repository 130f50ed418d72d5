import type { Examples, Step } from './example.ts';

export const batch: readonly Step[] = [
  { route: 'beginUpload', gives: { batch: 'batchId' } },
  {
    route: 'uploadFile',
    parameters: { batch: '{batch}', file: '0', 'X-File-Name': 'report.txt', 'X-File-Type': 'text/plain' },
    files: { 'report.txt': 'The text of the report.' },
  },
];

const [whole, file] = [{ batch: '{batch}' }, { batch: '{batch}', file: '0' }];

export const uploadExamples: Examples = {
  beginUpload: { gives: { batch: 'batchId' } },
  beginUploadThrough: { parameters: { handler: 'default' } },
  getUploadHandlers: {},
  getUploadHandler: { parameters: { name: 'default' } },
  uploadFile: {
    parameters: { ...file, 'X-File-Name': 'report.txt', 'X-File-Type': 'text/plain' },
    files: { 'report.txt': 'The text of the report.' },
  },
  getUploadedFiles: { parameters: whole },
  getUpload: { parameters: whole },
  getUploadedFile: { parameters: file },
  deleteUploadedFile: { parameters: file },
  deleteUpload: { parameters: whole },
};
