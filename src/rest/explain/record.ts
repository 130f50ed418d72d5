import type { Permission } from '../../security/permissions.ts';
import type { GraphqlOperation } from '../../selection/operation.ts';
import type { Caller, Run } from '../../selection/run.ts';
import type { Facade } from '../facade.ts';

/** The maximum number of statements and permission checks that are recorded for a call. Any more are only counted. */
const maxRecorded = { statements: 1000, checks: 100 };

type SentStatement = Parameters<NonNullable<Caller['meter']['onStatement']>>[0];

/** A GraphQL operation that the call has run. */
export interface RecordedOperation {
  readonly operation: GraphqlOperation;
  readonly inputs: Readonly<Record<string, unknown>>;
  milliseconds: number;
}

/** A permission check that the call has made on a document. */
interface Checked {
  readonly id: string;
  readonly permission: Permission;
}

/** The record of an explained call. */
export interface Recording {
  /** A façade that runs each call in a transaction, records the call, and rolls the transaction back. */
  readonly facade: Facade;
  readonly operations: readonly RecordedOperation[];
  /**
   * The statements, with the index of the operation that sent each of them, or -1 if it was sent before the first
   * operation.
   */
  readonly statements: ReadonlyArray<SentStatement & { readonly operation: number }>;
  readonly sent: () => number;
  readonly checked: ReadonlyMap<string, Checked>;
  /**
   * Returns the caller of the last operation. After the call, the permission decisions are read for this caller,
   * without being recorded.
   */
  readonly caller: () => Caller | undefined;
}

export function record(facade: Facade): Recording {
  const operations: RecordedOperation[] = [];
  const statements: Array<SentStatement & { operation: number }> = [];
  const checked = new Map<string, Checked>();
  let sent = 0;
  let last: Caller | undefined;

  const onStatement = (statement: SentStatement): void => {
    sent += 1;
    if (statements.length < maxRecorded.statements)
      statements.push({ ...statement, operation: operations.length - 1 });
  };
  const onCheck = (id: string, permission: Permission): void => {
    if (checked.size < maxRecorded.checks) checked.set(`${permission} ${id}`, { id, permission });
  };
  const run: Run = (caller, kind, work) => {
    const { idempotentRequest: _, ...lasting } = caller;
    last = lasting;
    const meter: Caller['meter'] = { statements: 0, milliseconds: 0, searchDelay: 0, onStatement };
    const trialCaller = { ...caller, meter, trial: { onCheck } };
    const running = facade.run(trialCaller, kind, (ask) =>
      work(async (operation, inputs) => {
        const entry: RecordedOperation = { operation, inputs, milliseconds: 0 };
        const start = performance.now();
        operations.push(entry);
        try {
          return await ask(operation, inputs);
        } finally {
          entry.milliseconds = performance.now() - start;
        }
      }),
    );
    return running.finally(() => {
      caller.meter.statements += meter.statements;
      caller.meter.milliseconds += meter.milliseconds;
    });
  };
  const { services } = facade;
  return {
    facade: {
      ...facade,
      run,
      services: { ...services, journal: { ...services.journal, downloaded: () => {} } },
    },
    operations,
    statements,
    sent: () => sent,
    checked,
    caller: () => last,
  };
}
