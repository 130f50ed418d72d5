import { builder } from '../../graphql/builder.ts';
import type { Property, Schema } from '../../model/model.ts';

interface ChoosingField {
  readonly xpath: string;
  readonly values: readonly string[];
}

const FieldChoices = builder.objectRef<ChoosingField>('FieldChoices').implement({
  description: 'A field that has one of a few values.',
  fields: (t) => ({
    xpath: t.exposeString('xpath', { description: 'A star stands for the index of an item.' }),
    values: t.exposeStringList('values', { description: 'All that it may have.' }),
  }),
});

const choosing = (properties: Schema['properties']): ChoosingField[] =>
  [...properties.values()].flatMap(({ xpath, constraints, fields }: Property) => [
    ...(constraints.enum ? [{ xpath, values: constraints.enum }] : []),
    ...choosing(fields),
  ]);

/** The parameters of a constraint are one text, which does not tell where a value ends. */
export const fieldChoices = {
  type: [FieldChoices] as [typeof FieldChoices],
  description: 'The fields that have one of a few values.',
  resolve: ({ properties }: Schema) => choosing(properties),
};
