import { readConfig } from '../../config.ts';
import { openDatabase } from '../../embedded/open-database.ts';
import { exitCode } from '../exit-codes.ts';
import { runs } from '../run-command.ts';
import type { QuireCommand } from '../surroundings.ts';

export function migrateCommand(command: QuireCommand): void {
  runs(command, async ({ result }, { surroundings }) => {
    const { database } = await openDatabase(readConfig(surroundings.env));
    try {
      const applied = await database.migrate();
      const lines =
        applied.length > 0 ? ['Applied:', ...applied] : ['Nothing to do: the tables are up to date.'];
      result(lines.join('\n'), { applied });
      return exitCode.done;
    } finally {
      await database.close();
    }
  });
}
