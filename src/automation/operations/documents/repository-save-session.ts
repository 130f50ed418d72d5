import { operation } from '../../operation.ts';

export const repositorySaveSession = operation({
  id: 'Repository.SaveSession',
  label: 'Save Session',
  description: 'Does nothing, because every call saves its changes.',
  example: {},
  gives: 'void',
  run: async () => null,
});
