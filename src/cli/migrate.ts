import { readConfig } from '../config.ts';
import { openDatabase } from '../embedded/open-database.ts';
import { runCommand } from './run-command.ts';

/** Applies missing migrations, as the server does at its start, and prints their names. */
async function main(): Promise<number> {
  const { database } = await openDatabase(readConfig());
  try {
    const applied = await database.migrate();
    const lines =
      applied.length > 0 ? ['Applied:', ...applied] : ['Nothing to do: the tables are up to date.'];
    console.log(lines.join('\n'));
    return 0;
  } finally {
    await database.close();
  }
}

runCommand(main);
