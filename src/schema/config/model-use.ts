import { builder } from '../../graphql/builder.ts';
import { type ModelUse, type ModelUses, modelUses } from '../../loaders/config/model-use.ts';
import { requireAdministrator } from '../../security/principal.ts';

const Use = builder.objectRef<ModelUse>('ModelUse').implement({
  description: 'The number of documents that use a part of the content model.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: '`type`, `facet` or `schema`.' }),
    name: t.exposeString('name'),
    documents: t.exposeFloat('documents', { description: 'The number of documents without versions.' }),
  }),
});

const Uses = builder.objectRef<ModelUses>('ModelUses').implement({
  description:
    'The number of documents of each type, facet and schema. Parts without documents are left out.',
  fields: (t) => ({
    isEstimate: t.exposeBoolean('isEstimate', {
      description: 'Whether the numbers are estimated from a sample, as they are above 100,000 documents.',
    }),
    uses: t.field({
      type: [Use],
      description: 'The parts with their numbers of documents.',
      resolve: ({ uses }) => [...uses],
    }),
  }),
});

builder.queryField('modelUses', (t) =>
  t.field({
    type: Uses,
    description:
      'The number of documents that use each part of the content model, including documents in the trash. Only for administrators.',
    resolve: (_, __, context) => {
      requireAdministrator(context.user, 'see what uses the content model');
      return modelUses(context);
    },
  }),
);
