import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { builder } from '../../graphql/builder.ts';
import { modelFileNames } from '../../model/contributed/contributed.ts';
import { requireAdministrator } from '../../security/principal.ts';

interface FileShape {
  readonly name: string;
  readonly path: string;
}

const ModelFile = builder.objectRef<FileShape>('ModelFile').implement({
  description: 'A file in MODEL_DIR.',
  fields: (t) => ({
    name: t.exposeString('name'),
    size: t.float({
      description: 'The size in bytes.',
      resolve: async ({ path }) => (await stat(path)).size,
    }),
    text: t.string({ resolve: ({ path }) => readFile(path, 'utf8') }),
  }),
});

builder.queryField('modelFiles', (t) =>
  t.field({
    type: [ModelFile],
    description:
      'The JSON and CSV files in MODEL_DIR as they are now, or only the one with a name. Only for administrators.',
    args: { name: t.arg.string() },
    resolve: async (_, { name }, { user, services }) => {
      requireAdministrator(user, 'see the files of the content model');
      const folder = services.config.MODEL_DIR;
      const names = await modelFileNames(folder);
      return names
        .filter((each) => typeof name !== 'string' || each === name)
        .map((each) => ({ name: each, path: join(folder ?? '', each) }));
    },
  }),
);
