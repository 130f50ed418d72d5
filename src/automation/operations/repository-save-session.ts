import { operation } from '../operation.ts';

/** What a call does is saved when it is answered: nothing is left to be done. */
export const repositorySaveSession = operation({
  id: 'Repository.SaveSession',
  label: 'Save Session',
  category: 'Document',
  description: 'Answers that everything is saved, which it is whenever a call is answered.',
  kind: 'query',
  takes: ['void'],
  gives: 'void',
  params: {},
  run: async () => null,
});
