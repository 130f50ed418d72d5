import { readConfig } from '../../config.ts';
import { exitCode } from '../exit-codes.ts';
import { runs } from '../run-command.ts';
import { withDatabase } from '../services.ts';
import type { QuireCommand } from '../surroundings.ts';

export function migrateCommand(command: QuireCommand): void {
  runs(command, async ({ result }, { surroundings }) => {
    const config = readConfig(surroundings.env);
    const applied = await withDatabase(config, surroundings, (database) => database.migrate());
    const lines =
      applied.length > 0 ? ['Applied:', ...applied] : ['Nothing to do: the tables are up to date.'];
    result(lines.join('\n'), { applied });
    return exitCode.done;
  });
}
