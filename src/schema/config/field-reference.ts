import { builder } from '../../graphql/builder.ts';
import type { ReferenceTarget } from '../../model/definitions.ts';
import type { Property, Schema } from '../../model/model.ts';

interface ReferringField {
  readonly xpath: string;
  readonly target: ReferenceTarget;
}

const FieldReference = builder.objectRef<ReferringField>('FieldReference').implement({
  description: 'A field whose values are ids.',
  fields: (t) => ({
    xpath: t.exposeString('xpath', { description: 'A star stands for the index of an item.' }),
    to: t.string({ description: 'user, document or directory.', resolve: ({ target }) => target.to }),
    directory: t.string({
      nullable: true,
      resolve: ({ target }) => (target.to === 'directory' ? target.directory : null),
    }),
    separator: t.string({
      nullable: true,
      description: 'Between the ids of an entry of a directory and of its parents.',
      resolve: ({ target }) => (target.to === 'directory' ? (target.separator ?? null) : null),
    }),
  }),
});

const referring = (properties: Schema['properties']): ReferringField[] =>
  [...properties.values()].flatMap(({ xpath, refersTo, fields }: Property) => [
    ...(refersTo ? [{ xpath, target: refersTo }] : []),
    ...referring(fields),
  ]);

/** What a schema refers to, for forms. */
export const fieldReferences = {
  type: [FieldReference] as [typeof FieldReference],
  description: 'The fields whose values are ids.',
  resolve: ({ properties }: Schema) => referring(properties),
};
