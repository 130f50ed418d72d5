import type { HealthCheck } from '../check.ts';

/** Reads the content model, including the files in MODEL_DIR and those of extensions. */
export const modelCheck: HealthCheck = {
  name: 'model',
  opens: {
    model: {
      reason: 'The server does not start with an invalid content model.',
      remedy: 'Correct the file in MODEL_DIR that the message names.',
    },
  },
  run: async ({ model }) => {
    await model();
    return [];
  },
};
