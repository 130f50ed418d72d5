import { rmSync } from 'node:fs';
import { type ConversionTask, type Converted, ProgramNeeded, Unsuitable } from './converter.ts';
import { findConverter } from './index.ts';
import { work } from './process-usage.ts';
import type { Program } from './programs/programs.ts';

// A process that converts one file after the other. It has no secrets and no database, and ends with its
// parent.

export interface Order extends ConversionTask {
  readonly converter: string;
}

export type Outcome =
  | { readonly converted: Converted }
  | {
      readonly fault: string;
      /** The one that does not suit the file, with which nothing is wrong then. */
      readonly parameter?: string;
      /** The one without which the file cannot be converted, with which nothing is wrong then. */
      readonly program?: Program;
    };

/** What a process says when a file is done. */
export interface Report {
  readonly outcome: Outcome;
  /** The seconds of work of the process since its start. */
  readonly work: number;
}

async function convert({ converter: name, ...task }: Order): Promise<Outcome> {
  const converter = findConverter(name);
  if (!converter) throw new Error(`there is no converter ${name}`);
  try {
    return { converted: await converter.convert(task) };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    if (error instanceof Unsuitable) return { fault, parameter: error.parameter };
    return error instanceof ProgramNeeded ? { fault, program: error.program } : { fault };
  }
}

let folder: string | undefined;

process.on('message', (order: Order) => {
  folder = order.folder;
  void convert(order).then((outcome) => {
    const report: Report = { outcome, work: work() };
    process.send?.(report);
  });
});
process.on('disconnect', () => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  // The group is this process and the programs that it runs.
  if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
  process.exit();
});
