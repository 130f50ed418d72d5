import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Invalid } from '../errors.ts';

/** Asks for a password, without showing it. */
async function ask(): Promise<string> {
  process.stderr.write('Password: ');
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await asking.question('');
  } finally {
    asking.close();
    process.stderr.write('\n');
  }
}

/** From the terminal, else the first line of the standard input. @throws Invalid when it is empty */
export async function readPassword(): Promise<string> {
  const given = process.stdin.isTTY ? await ask() : (await text(process.stdin)).split(/\r?\n/, 1)[0];
  if (!given) throw new Invalid('no password is given: it is the first line of the standard input');
  return given;
}
