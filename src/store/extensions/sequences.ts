import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';

const next = statement('next-extension-number', { value: 'int8' })`
  INSERT INTO extension_sequence (extension, name, value) VALUES ($1, $2, 1)
  ON CONFLICT (extension, name) DO UPDATE SET value = extension_sequence.value + 1 RETURNING value`;

const maxName = 200;

/**
 * Returns the next number of a sequence. The row stays locked until the transaction ends, so that a rollback makes the
 * number available again.
 * @throws Invalid for a name that is empty or too long
 */
export async function nextNumber(
  db: Pick<Client, 'query'>,
  extension: string,
  name: string,
): Promise<number> {
  if (name === '' || name.length > maxName)
    throw new Invalid(`The name of a sequence must have 1 to ${maxName} characters.`);
  const [row] = await db.query(next, [extension, name]);
  return Number(row?.value);
}
