import { operation } from '../../operation.ts';

export const repositorySaveSession = operation({
  id: 'Repository.SaveSession',
  label: 'Save Session',
  category: 'Document',
  description: 'Does nothing: every call saves its changes.',
  kind: 'query',
  takes: ['void'],
  gives: 'void',
  run: async () => null,
});
