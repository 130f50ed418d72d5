import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atEnd } from '../closing.ts';
import { freePort } from '../processes.ts';

/** Creates the HAProxy configuration for local nodes from the deployment's configuration. */
async function configuration(port: number, nodes: readonly number[]): Promise<string> {
  const deployed = await readFile(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8');
  const servers = nodes.map((node, index) => `server node${index + 1} 127.0.0.1:${node}`);
  return deployed
    .replace('maxconn 10000', 'maxconn 2000') // Each connection uses open files, the number of which is limited.
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replaceAll('abns@first', `abns@first-${port}`)
    .replace('backend nodes\n', 'backend nodes\n  http-response set-header X-Node %s\n')
    .replace(' resolvers names init-addr none', '')
    .replace('server-template node 3 quire:8080', servers.join('\n  '));
}

/** Starts HAProxy from Debian's package in front of the given ports. @returns its URL */
export async function startHaproxy(folder: string, nodes: readonly number[]): Promise<string> {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, await configuration(port, nodes));
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  atEnd(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error('HAProxy did not start');
    await wait(50);
  }
  return url;
}
