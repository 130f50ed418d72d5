import type { Converter } from '../../converters/converter.ts';
import { converters, missingPrograms } from '../../converters/index.ts';
import { programTitle } from '../../converters/programs/programs.ts';
import { typesMade } from '../../converters/types-made.ts';
import { builder } from '../../graphql/builder.ts';

const ConverterType = builder.objectRef<Converter>('Converter').implement({
  description: 'A way to make a file of another kind.',
  fields: (t) => ({
    name: t.exposeString('name'),
    sourceMimeTypes: t.stringList({ resolve: ({ takes }) => [...takes] }),
    destinationMimeTypes: t.stringList({ resolve: ({ makes }) => [...typesMade[makes]] }),
    parameters: t.field({
      type: 'JSON',
      description: 'Whole numbers that it takes, by name, none of which has to be given.',
      resolve: ({ parameters }) => parameters ?? {},
    }),
    needs: t.stringList({
      description: 'Programs without which it cannot be used.',
      resolve: ({ needs = [] }) => needs.map(programTitle),
    }),
    isAvailable: t.boolean({
      description: 'Whether these programs are installed beside the server.',
      resolve: (converter, _, { services: { conversions } }) =>
        missingPrograms(converter, conversions.tools).length === 0,
    }),
  }),
});

const Converters = builder.objectRef<readonly Converter[]>('Converters').implement({
  fields: (t) => ({ entries: t.field({ type: [ConverterType], resolve: (all) => [...all] }) }),
});

builder.queryField('converters', (t) =>
  t.field({ type: Converters, description: 'All converters of files.', resolve: () => converters }),
);
