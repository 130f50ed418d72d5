import { setImmediate } from 'node:timers/promises';

/** Lets whoever else waits for the event loop go first. */
export const othersTurn = (): Promise<void> => setImmediate();

/** Entries of a list that are written before others have their turn. */
const atOnce = 100;

type Listing = Readonly<Record<string, unknown>> & { readonly entries: readonly unknown[] };

const isLong = (value: unknown): value is Listing => {
  const entries = (value as Partial<Listing> | null | undefined)?.entries;
  return Array.isArray(entries) && entries.length > atOnce;
};

/** As `JSON.stringify` does, but for a long list in several turns, so that others need not wait for all of it. */
export async function writeJson(value: unknown): Promise<string> {
  if (!isLong(value)) return JSON.stringify(value);
  const { entries, ...others } = value;
  const parts: string[] = [];
  for (let from = 0; from < entries.length; from += atOnce) {
    parts.push(JSON.stringify(entries.slice(from, from + atOnce)).slice(1, -1));
    await othersTurn();
  }
  const head = JSON.stringify({ ...others, entries: [] });
  return `${head.slice(0, -2)}${parts.join(',')}]}`;
}
