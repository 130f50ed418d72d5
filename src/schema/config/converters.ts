import type { Converter } from '../../converters/converter.ts';
import { converters, missingPrograms } from '../../converters/index.ts';
import { programTitle } from '../../converters/programs/programs.ts';
import { resultTypes } from '../../converters/result-types.ts';
import { builder } from '../../graphql/builder.ts';

const ConverterType = builder.objectRef<Converter>('Converter').implement({
  description: 'A conversion of files to another format.',
  fields: (t) => ({
    name: t.exposeString('name'),
    sourceMimeTypes: t.stringList({ resolve: ({ takes }) => [...takes] }),
    destinationMimeTypes: t.stringList({ resolve: ({ makes }) => [...resultTypes[makes]] }),
    parameters: t.field({
      type: 'JSON',
      description: 'The optional integer parameters, by name.',
      resolve: ({ parameters }) => parameters ?? {},
    }),
    needs: t.stringList({
      description: 'The programs that the converter requires.',
      resolve: ({ needs = [] }) => needs.map(programTitle),
    }),
    isAvailable: t.boolean({
      description: 'Whether the required programs are installed.',
      resolve: (converter, _, { services: { conversions } }) =>
        missingPrograms(converter, conversions.tools).length === 0,
    }),
  }),
});

const Converters = builder.objectRef<readonly Converter[]>('Converters').implement({
  fields: (t) => ({ entries: t.field({ type: [ConverterType], resolve: (all) => [...all] }) }),
});

builder.queryField('converters', (t) =>
  t.field({ type: Converters, description: 'All file converters.', resolve: () => converters }),
);
