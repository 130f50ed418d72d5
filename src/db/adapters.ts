import type { SqlDriverAdapter, SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';

/** The same object with other members; everything else is inherited. */
export const overriding = <Base extends object>(
  base: Base,
  members: Partial<Record<keyof Base, unknown>>,
): Base => Object.assign(Object.create(base), members);

export const overridingAdapters = (
  factory: SqlDriverAdapterFactory,
  replace: (adapter: SqlDriverAdapter) => SqlDriverAdapter,
): SqlDriverAdapterFactory => overriding(factory, { connect: async () => replace(await factory.connect()) });

/**
 * Prisma over a connection that is in a transaction already. Where Prisma would begin one of its own, for
 * several statements of one call, it takes part in ours: a failure there fails ours, and is rolled back with
 * it.
 */
export const withinTransaction = (factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory =>
  overridingAdapters(factory, (adapter) => {
    const transaction: Transaction = Object.assign(Object.create(adapter), {
      options: { usePhantomQuery: true }, // Prisma sends no COMMIT of its own
      commit: async () => {},
      rollback: async () => {},
    });
    return overriding(adapter, { startTransaction: async () => transaction, dispose: async () => {} });
  });
