import type { SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';

/**
 * Prisma over a connection that is in a transaction already. Where Prisma would begin one of its own, for several
 * statements of one call, it takes part in ours: what fails there fails ours, and is rolled back with it.
 */
export function withinTransaction(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      const transaction: Transaction = Object.assign(Object.create(adapter), {
        options: { usePhantomQuery: true }, // Prisma sends no COMMIT of its own
        commit: async () => {},
        rollback: async () => {},
      });
      return Object.assign(Object.create(adapter), {
        startTransaction: async () => transaction,
        dispose: async () => {},
      });
    },
  };
}
