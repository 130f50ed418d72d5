import { rmSync } from 'node:fs';
import { type ConversionInput, type Converted, ProgramNeeded, Unsuitable } from './converter.ts';
import { work } from './process-usage.ts';
import type { Program } from './programs/programs.ts';
import { listWords, type WordsOrder } from './texts/text-words.ts';

// This is the program that converter processes run. It converts one file at a time, has no access to secrets or the
// database, and exits when its parent process exits.

const [, , ...extensions] = process.argv;
if (extensions.length > 0) await (await import('../extensions/load.ts')).loadExtensions(extensions, false);
// The list of converters is created when index.ts is loaded, so the extensions must be loaded before it.
const [{ findConverter }, { partReader }] = await Promise.all([import('./index.ts'), import('./parts.ts')]);

/** A request to convert a file. */
interface ConversionOrder extends ConversionInput {
  readonly converter: string;
}

export type Order = ConversionOrder | WordsOrder;

/** The result of an order: a converted file, or the words of a text as a tsvector. */
export type ResultOf<Kind extends Order> = Kind extends WordsOrder
  ? { readonly words: string }
  : { readonly converted: Converted };

/** The reason why an order could not be carried out. */
export interface FailedOrder {
  readonly fault: string;
  /** The name of the invalid parameter, if the file itself is valid. */
  readonly parameter?: string;
  /** The program that is required but not installed, if the file itself is valid. */
  readonly program?: Program;
}

export type Outcome = ResultOf<Order> | FailedOrder;

/** The message that the process sends after each order. */
export interface Report {
  readonly outcome: Outcome;
  /** The CPU time that the process has used since it started, in seconds. */
  readonly work: number;
}

async function convert({ converter: name, ...task }: ConversionOrder): Promise<Converted> {
  const converter = findConverter(name);
  if (!converter) throw new Error(`there is no converter named ${name}`);
  return converter.convert({ ...task, textOfPart: partReader(task) });
}

async function run(order: Order): Promise<Outcome> {
  try {
    if ('text' in order) return { words: await listWords(order) };
    return { converted: await convert(order) };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    if (error instanceof Unsuitable) return { fault, parameter: error.parameter };
    return error instanceof ProgramNeeded ? { fault, program: error.program } : { fault };
  }
}

let folder: string | undefined;

process.on('message', (order: Order) => {
  folder = 'folder' in order ? order.folder : undefined;
  void run(order).then((outcome) => {
    const report: Report = { outcome, work: work() };
    process.send?.(report);
  });
});
process.on('disconnect', () => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  // Kills the process group, which consists of this process and the programs that it has started.
  if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
  process.exit();
});
