import { readConfig } from '../../config.ts';
import { exitCode } from '../exit-codes.ts';
import { openExpected } from '../open-expected.ts';
import { runs } from '../run-command.ts';
import type { QuireCommand } from '../surroundings.ts';

export function migrateCommand(command: QuireCommand): void {
  runs(command, async ({ result }, { surroundings }) => {
    const { database } = await openExpected(readConfig(surroundings.env), surroundings);
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
