import { ConfigError } from '../../config.ts';
import type { Session } from '../../db/database.ts';
import { composed } from '../../db/statement.ts';
import type { QueryPredicate } from '../../extension.ts';
import { extensions } from '../../extensions/loaded.ts';

const sqlTypes: Readonly<Record<QueryPredicate['type'], string>> = {
  string: 'text',
  date: 'text',
  number: 'numeric',
  boolean: 'boolean',
};

interface Checked {
  /** The extension and the member, for the message. */
  readonly at: string;
  readonly expression: string;
}

const expressions = (): Checked[] =>
  extensions().flatMap(({ place, queryProperties = [], queryPredicates = [] }) => [
    ...queryProperties.map(({ name, type, sql }) => ({
      at: `${place}: queryProperties: ${name}`,
      expression: `(${sql})::${sqlTypes[type]}`,
    })),
    ...queryPredicates.map(({ name, type, sql }) => ({
      at: `${place}: queryPredicates: ${name}`,
      expression: `(${sql.replaceAll('$value', `(NULL::${sqlTypes[type]})`)})::boolean`,
    })),
  ]);

/**
 * Lets PostgreSQL plan the SQL that extensions add to queries, so that a mistake stops the start rather than the first
 * query.
 * @throws ConfigError that names each expression and its fault
 */
export async function checkExtensionSql(database: Pick<Session, 'query'>): Promise<void> {
  const faults: string[] = [];
  for (const { at, expression } of expressions()) {
    try {
      await database.query(composed(`EXPLAIN SELECT ${expression} FROM searchable d`), []);
    } catch (error) {
      faults.push(`EXTENSIONS: ${at}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
}
