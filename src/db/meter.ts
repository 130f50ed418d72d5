import type { RequestMemory } from './memory-budget.ts';
import type { Statement } from './statement.ts';

/** A statement that was sent, without the values of its parameters. */
interface SentStatement {
  /** Empty where the server keeps no plan for it. */
  readonly name: string;
  readonly text: string;
  readonly milliseconds: number;
  /** Rows that it has found or changed; undefined when it has failed. */
  readonly rows: number | undefined;
}

/** What one request costs the database, as `Server-Timing` presents it. */
export interface Meter {
  statements: number;
  milliseconds: number;
  /** Milliseconds by which the search index was behind its searches. */
  searchDelay: number;
  /** Counts the rows that the request reads by SQL; absent where nothing limits them. */
  memory?: RequestMemory | undefined;
  /** Is called with each statement when it has ended. */
  onStatement?: (sent: SentStatement) => void;
}

export const newMeter = (): Meter => ({ statements: 0, milliseconds: 0, searchDelay: 0 });

type Counted = Pick<Statement, 'counted'>;

export async function measured<T>(
  meter: Meter,
  { name, text }: Statement,
  send: (counting?: Counted) => Promise<T>,
): Promise<T> {
  const { onStatement } = meter;
  meter.statements += 1;
  const start = performance.now();
  let rows: number | undefined;
  const counting = onStatement && {
    counted: (count: number) => {
      rows = count;
    },
  };
  try {
    return await send(counting);
  } finally {
    const milliseconds = performance.now() - start;
    meter.milliseconds += milliseconds;
    onStatement?.({ name, text, milliseconds, rows });
  }
}
