import type { Config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { isEcmName } from '../../query/ecm.ts';

type Served = Pick<Config, 'PRODUCT_VERSION' | 'REPOSITORIES'>;

const Distribution = builder.objectRef<Served>('Distribution').implement({
  description: 'What the server calls itself.',
  fields: (t) => ({
    distributionName: t.string({ resolve: () => 'Quire' }),
    distributionVersion: t.exposeString('PRODUCT_VERSION', { description: 'PRODUCT_VERSION.' }),
    distributionServer: t.string({ resolve: () => 'Quire' }),
  }),
});

const Cluster = builder.objectRef<Served>('Cluster').implement({
  description: 'All processes of a server are one node to its clients.',
  fields: (t) => ({
    enabled: t.boolean({ resolve: () => false }),
    nodeId: t.string({ resolve: () => '1' }),
  }),
});

const Capabilities = builder.objectRef<Served>('Capabilities').implement({
  description: 'Existing clients choose their behaviour by it.',
  fields: (t) => ({
    server: t.field({ type: Distribution, resolve: (served) => served }),
    cluster: t.field({ type: Cluster, resolve: (served) => served }),
    repository: t.field({
      type: 'JSON',
      description: 'Of each repository, by name.',
      resolve: ({ REPOSITORIES: repositories }) =>
        Object.fromEntries(repositories.map((name) => [name, { queryBlobKeys: isEcmName('blobKeys') }])),
    }),
  }),
});

builder.queryField('capabilities', (t) =>
  t.field({
    type: Capabilities,
    resolve: (_, __, { services }) => services.config,
  }),
);
