import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { kill, printing, run, stockedSettings } from '../../db/processes.ts';

/** Starting a process and waiting for its limits takes a while on a busy machine, in milliseconds. */
export const patience = 90_000;

/** When a connection must be gone whose limit is a second or four. */
export const soon = 20_000;

/** A real process that waits for nobody. */
export interface Impatient {
  readonly url: string;
  readonly port: number;
  /** It lives, answers soon, and has logged no fault of ours. */
  readonly expectWell: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startImpatient(): Promise<Impatient> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quire-socket-'));
  const { settings, drop } = await stockedSettings(dataDir);
  const server = run('test/fuzz/clients/impatient-program.ts', { DATA_DIR: dataDir, PORT: '0', ...settings });
  const [, url = ''] = await printing(server, /Quire serves (\S+)/);
  return {
    ...{ url, port: Number(new URL(url).port) },
    expectWell: async () => {
      const start = performance.now();
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      expect(performance.now() - start).toBeLessThan(20_000);
      expect(server.child.exitCode).toBeNull();
      expect(server.printed.err).toBe('');
      expect(server.printed.out).not.toContain('unexpected error');
    },
    stop: async () => {
      await kill(server);
      await drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
