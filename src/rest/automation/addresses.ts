import { type Arguments, input } from '../../selection/selection.ts';
import { documentAddresses } from '../route.ts';

export const sent: Arguments = { input: input('body.input') };

export const variables: Arguments = { context: input('body.context') };

/** Names and summaries of what openapi.json has one entry for. */
export const operationTexts = {
  description: { name: 'getOperation', summary: 'What an operation or a chain does and takes' },
  call: { name: 'callOperation', summary: 'Call an operation or a chain by a name, older ones included' },
  adapter: (by: string) => ({
    name: `callOperationBy${by}`,
    summary: 'Call an operation or a chain with a document as its input',
  }),
  upload: (by: string, of: string) => ({
    name: `callOperationOn${by}`,
    summary: `Call an operation or a chain with ${of} of a batch as its input`,
  }),
};

/** Paths in openapi.json that stand for the rows of all operations. */
export const anyOperation = '/automation/:operation';

export const adapters = documentAddresses.map(({ at, ...address }) => ({ ...address, at: `${at}/@op` }));

const batch = { batch: input('address.batch') };

export const uploads = [
  { at: '/upload/:batch/execute', by: 'Batch', of: 'all files', upload: batch },
  {
    at: '/upload/:batch/:file/execute',
    by: 'File',
    of: 'a file',
    upload: { ...batch, file: input('address.file') },
  },
];
