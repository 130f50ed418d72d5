import type { Logger } from 'pino';
import { ConfigError } from '../../config.ts';
import type { Session } from '../../db/database.ts';
import { composed } from '../../db/statement.ts';
import type { QueryPredicate } from '../../extension.ts';
import { extensions } from '../../extensions/loaded.ts';
import { eventNames } from '../../model/event-names.ts';
import type { Model } from '../../model/model.ts';
import { unknownName } from '../../near-names.ts';

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
 * Checks the names in extensions that only the content model knows.
 * @throws ConfigError that names each unknown document type
 */
export function checkExtensionNames(model: Model, log: Pick<Logger, 'warn'>): void {
  const faults = extensions().flatMap(({ place, before = [], after = [] }) =>
    Object.entries({ before, after }).flatMap(([list, listeners]) =>
      listeners.flatMap(({ types = [] }) =>
        types
          .filter((type) => !model.types.has(type))
          .map(
            (type) => `EXTENSIONS: ${place}: ${list}: ${unknownName('type', type, [...model.types.keys()])}`,
          ),
      ),
    ),
  );
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  const known = new Set<string>(eventNames);
  for (const { name: extension, after = [] } of extensions())
    for (const { name: listener, events = [] } of after)
      for (const event of events.filter((one) => !known.has(one)))
        log.warn(
          { extension, listener, event },
          'A listener waits for an event that the server does not log.',
        );
}

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
