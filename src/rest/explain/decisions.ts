import type { GraphQLSchema } from 'graphql';
import { type GraphqlOperation, toOperation } from '../../selection/operation.ts';
import { Field, input } from '../../selection/selection.ts';
import type { Facade } from '../facade.ts';
import type { Recording } from './record.ts';

interface DocumentDecisions {
  readonly uid: string;
  readonly path: string;
  readonly decidedPermissions: ReadonlyArray<{ readonly permission: string }>;
}

const operations = new WeakMap<GraphQLSchema, GraphqlOperation>();

function operationOf(schema: GraphQLSchema): GraphqlOperation {
  const known = operations.get(schema);
  if (known) return known;
  const ace = { id: true, username: true, permission: true, granted: true, begin: true, end: true } as const;
  const place = { uid: true, path: true } as const;
  const decided = { permission: true, granted: true, reason: true, ace, place } as const;
  const documents = new Field({
    arguments: { ids: input('ids') },
    of: { uid: true, path: true, decidedPermissions: decided },
  });
  const operation = toOperation(schema, 'query', { documents });
  operations.set(schema, operation);
  return operation;
}

/**
 * Returns the permissions that the call has checked, each with the ACE that decides it and the document that has
 * this ACE. Documents that exist only in the call's transaction are omitted, because they inherit the permissions
 * of their parent.
 */
export async function decisions(
  { schema, run }: Pick<Facade, 'schema' | 'run'>,
  { checked, caller }: Recording,
): Promise<unknown[]> {
  const by = caller();
  if (checked.size === 0 || !by) return [];
  const checks = [...checked.values()];
  const ids = [...new Set(checks.map(({ id }) => id))];
  const { documents } = await run(by, 'query', (ask) => ask(operationOf(schema), { ids }));
  const found = new Map(
    (documents as Array<DocumentDecisions | null>).flatMap((each) => (each ? [[each.uid, each]] : [])),
  );
  return checks.flatMap(({ id, permission }) => {
    const document = found.get(id);
    const decided = document?.decidedPermissions.find((each) => each.permission === permission);
    return document && decided ? [{ uid: id, path: document.path, ...decided }] : [];
  });
}
