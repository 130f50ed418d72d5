import { expect } from '@jest/globals';
import { kill, printing, processSettings, run } from '../../db/processes.ts';

/** The milliseconds in which a connection with a limit of one to four seconds must be closed. */
export const soon = 20_000;

/** A server process with short time limits for clients. */
export interface Impatient extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** Expects that the process runs, answers soon and has logged no internal error. */
  readonly expectWell: () => Promise<void>;
}

export async function startImpatient(): Promise<Impatient> {
  const database = await processSettings({ isStocked: true });
  const server = run('test/fuzz/clients/impatient-program.mjs', { PORT: '0', ...database.settings });
  const [, url = ''] = await printing(server, /Quire serves (\S+)/);
  return {
    url,
    port: Number(new URL(url).port),
    databaseUrl: database.settings.DATABASE_URL ?? '',
    expectWell: async () => {
      const start = performance.now();
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      expect(performance.now() - start).toBeLessThan(20_000);
      expect(server.child.exitCode).toBeNull();
      expect(server.printed.err).toBe('');
      expect(server.printed.out).not.toContain('unexpected error');
    },
    [Symbol.asyncDispose]: async () => {
      await kill(server);
      await database[Symbol.asyncDispose]();
    },
  };
}
