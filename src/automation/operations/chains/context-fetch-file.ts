import { operation } from '../../operation.ts';

export const contextFetchFile = operation({
  id: 'Context.FetchFile',
  label: 'Context File',
  category: 'Fetch',
  description: 'Returns the input blob.',
  example: { files: { 'notes.txt': 'Some notes.' } },
  takes: ['bloblist'],
  isOneForOne: true,
  gives: 'bloblist',
  run: async (_, blobs) => blobs,
});
