import type { Database } from '../../src/db/database.ts';
import type { Statement } from '../../src/db/statement.ts';

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const literal = (value: unknown): string =>
  Array.isArray(value) ? `'{${value.map((each) => JSON.stringify(each)).join(',')}}'` : `'${value}'`;

/**
 * Runs a prepared statement once with a custom plan and once with a generic plan, and rolls it back. @returns the nodes
 * of both plans
 */
export async function plansOf(
  { transaction }: Pick<Database, 'transaction'>,
  { text }: Statement,
  values: readonly unknown[],
): Promise<PlanNode[][]> {
  const plans: PlanNode[][] = [];
  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    await transaction(60, async (client) => {
      const run = (sql: string) => client.query<Record<string, unknown>>({ name: '', text: sql }, []);
      await run(`SET LOCAL plan_cache_mode = ${mode}`);
      await run(`PREPARE explained AS ${text}`);
      const parameters = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
      const [row] = await run(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained ${parameters}`);
      await run('DEALLOCATE explained');
      const explained = row?.['QUERY PLAN'] as ReadonlyArray<{ readonly Plan: PlanNode }> | undefined;
      plans.push(...(explained ?? []).map(({ Plan }) => nodesOf(Plan)));
      throw new RolledBack();
    }).catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  return plans;
}

class RolledBack extends Error {}

/** Returns the number of rows that a plan has read from a table. */
export const visitedRows = (plan: readonly PlanNode[], table: string): number =>
  plan
    .filter((node) => node['Relation Name'] === table && node['Node Type'].endsWith('Scan'))
    .reduce(
      (sum, node) =>
        sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
      0,
    );
