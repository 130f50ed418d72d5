import type { Config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { isEcmName } from '../../query/ecm.ts';

type Served = Pick<Config, 'PRODUCT_VERSION' | 'REPOSITORIES'>;

const Distribution = builder.objectRef<Served>('Distribution').implement({
  description: 'The product name and version of the server.',
  fields: (t) => ({
    distributionName: t.string({ resolve: () => 'Quire' }),
    distributionVersion: t.exposeString('PRODUCT_VERSION', {
      description: 'The version, as set by PRODUCT_VERSION.',
    }),
    distributionServer: t.string({ resolve: () => 'Quire' }),
  }),
});

const Cluster = builder.objectRef<Served>('Cluster').implement({
  description: 'The cluster. All processes of a server appear to clients as one node.',
  fields: (t) => ({
    enabled: t.boolean({ resolve: () => false }),
    nodeId: t.string({ resolve: () => '1' }),
  }),
});

const Capabilities = builder.objectRef<Served>('Capabilities').implement({
  description: 'The capabilities of the server, to which existing clients adapt.',
  fields: (t) => ({
    server: t.field({ type: Distribution, resolve: (served) => served }),
    cluster: t.field({ type: Cluster, resolve: (served) => served }),
    repository: t.field({
      type: 'JSON',
      description: 'The capabilities of each repository, by name.',
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
