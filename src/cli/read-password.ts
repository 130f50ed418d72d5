import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Invalid } from '../errors.ts';
import type { Surroundings } from './surroundings.ts';

/** Asks for a password, without showing it. */
async function ask({ stdin, stderr }: Surroundings): Promise<string> {
  stderr.write('Password: ');
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: stdin, output, terminal: true });
  try {
    return await asking.question('');
  } finally {
    asking.close();
    stderr.write('\n');
  }
}

/** From the terminal, else the first line of the standard input. @throws Invalid when it is empty */
export async function readPassword(surroundings: Surroundings): Promise<string> {
  const { stdin } = surroundings;
  const given = stdin.isTTY ? await ask(surroundings) : (await text(stdin)).split(/\r?\n/, 1)[0];
  if (!given) throw new Invalid('no password is given: it is the first line of the standard input');
  return given;
}
