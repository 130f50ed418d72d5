import type { HealthCheck } from '../check.ts';

/** Loads the extensions and checks their definitions. */
export const extensionsCheck: HealthCheck = {
  name: 'extensions',
  opens: {
    extensions: {
      reason: 'The server does not start without the extensions in EXTENSIONS.',
      remedy: 'Correct or update the extension, install it next to the server, or remove it from EXTENSIONS.',
    },
  },
  run: async ({ extensions }) => {
    await extensions();
    return [];
  },
};
