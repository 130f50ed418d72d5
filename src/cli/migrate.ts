import { ConfigError, readConfig } from '../config.ts';
import { connect } from '../db/connect.ts';
import { explain } from '../db/errors.ts';

/** Brings the tables up to date, as the server does at its start, and says what was missing. */
async function main(): Promise<void> {
  const database = await connect(readConfig());
  try {
    const applied = await database.migrate();
    const lines =
      applied.length > 0 ? ['Applied:', ...applied] : ['Nothing to do: the tables are up to date.'];
    console.log(lines.join('\n'));
  } finally {
    await database.close();
  }
}

// The schema engine leaves a timer of ten seconds: the process is ended, not left to end.
main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof ConfigError ? error.message : explain(error));
    process.exit(1);
  },
);
