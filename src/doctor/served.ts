import type { Scope } from '../scope.ts';
import type { Installation } from './check.ts';

/** Returns the installation of a running server, whose parts are open. */
export const servedInstallation = ({
  services,
  db,
  options,
}: Pick<Scope, 'db' | 'services' | 'options'>): Installation => ({
  config: services.config,
  isServing: true,
  forwarded: options.forwarded,
  extensions: async () => undefined,
  model: async () => services.model,
  identityProviders: async () => services.identityProviders,
  database: async () => db,
  tables: async () => db,
  blobs: async () => services.blobs,
  tools: async () => services.conversions.tools,
  wordAnalysis: async () => services.wordAnalysis,
});
