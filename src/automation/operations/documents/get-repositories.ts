import { operation } from '../../operation.ts';

export const getRepositories = operation({
  id: 'GetRepositories',
  label: 'List repository names',
  category: 'Services',
  description: 'Returns the names of the repositories of this server.',
  example: {},
  gives: 'list',
  run: async ({ services }) => services.config.REPOSITORIES,
});
