import { rmSync } from 'node:fs';
import { type ConversionTask, type Converted, ProgramNeeded, Unsuitable } from './converter.ts';
import { findConverter } from './index.ts';
import { work } from './process-usage.ts';
import type { Program } from './programs/programs.ts';

// The program of a converter process, which converts files one by one. It has neither secrets nor access to the database,
// and exits when its parent does.

/** A request to convert a file. */
export interface Order extends ConversionTask {
  readonly converter: string;
}

/** The result of a conversion. */
export type Outcome =
  | { readonly converted: Converted }
  | {
      readonly fault: string;
      /** The parameter that is at fault; the file itself is valid. */
      readonly parameter?: string;
      /** The program that is required and not installed; the file itself is valid. */
      readonly program?: Program;
    };

/** The message that the process sends after a conversion. */
export interface Report {
  readonly outcome: Outcome;
  /** The number of seconds of processor time that the process has used since its start. */
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
  // The process group consists of this process and the programs that it has started.
  if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
  process.exit();
});
