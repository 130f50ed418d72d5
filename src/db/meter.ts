import { runningExtension } from '../extensions/running.ts';
import type { RequestMemory } from './memory-budget.ts';
import type { Statement } from './statement.ts';

/** A statement that has been sent, without its parameter values. */
interface SentStatement {
  /** The name of the prepared statement; empty if the server does not store a plan for it. */
  readonly name: string;
  readonly text: string;
  readonly milliseconds: number;
  /** The number of rows that the statement returned or changed; undefined if it failed. */
  readonly rows: number | undefined;
  /** The extension whose function caused the statement. */
  readonly extension: string | undefined;
}

/** The database cost of one request, as `Server-Timing` reports it. */
export interface Meter {
  statements: number;
  milliseconds: number;
  /** The part of the cost that each extension has caused. */
  ofExtensions?: Map<string, { statements: number; milliseconds: number }>;
  /** How long the search index lagged behind the documents when the request searched, in milliseconds. */
  searchDelay: number;
  /** Counts and limits the rows that the request reads; absent if they are not limited. */
  memory?: RequestMemory | undefined;
  /** Called with each statement after it has ended. */
  onStatement?: (sent: SentStatement) => void;
}

export const newMeter = (): Meter => ({ statements: 0, milliseconds: 0, searchDelay: 0 });

function addToExtension(meter: Meter, extension: string, milliseconds: number): void {
  meter.ofExtensions ??= new Map();
  const { ofExtensions } = meter;
  const cost = ofExtensions.get(extension) ?? { statements: 0, milliseconds: 0 };
  cost.statements += 1;
  cost.milliseconds += milliseconds;
  ofExtensions.set(extension, cost);
}

type Counted = Pick<Statement, 'counted'>;

/** Sends a statement and adds its cost to a meter. */
export async function measured<T>(
  meter: Meter,
  { name, text }: Statement,
  send: (counting?: Counted) => Promise<T>,
): Promise<T> {
  const { onStatement } = meter;
  meter.statements += 1;
  const extension = runningExtension();
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
    if (extension !== undefined) addToExtension(meter, extension, milliseconds);
    onStatement?.({ name, text, milliseconds, rows, extension });
  }
}
