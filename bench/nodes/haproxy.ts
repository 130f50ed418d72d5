import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atEnd } from '../closing.ts';
import { freePort } from '../processes.ts';

/** A 503 for the client whose node died before it answered: haproxy says 502. */
const unanswered = `HTTP/1.0 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n`;

/**
 * Bytes of a request or an answer that haproxy holds: a client whose node dies in the middle of one that is
 * longer is cut off, and of a shorter one gets the 503.
 */
const buffer = 131_072;

const configuration = (port: number, errors: string, nodes: readonly number[]): string => `
global
  maxconn 2000
  tune.bufsize ${buffer}
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  errorfile 502 ${errors}
  option redispatch
  option http-buffer-request
  option http-server-close
  retries 3
  retry-on conn-failure empty-response
frontend front
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  http-request disable-l7-retry unless METH_GET
  http-response wait-for-body time 10s
  option httpchk GET /health/ready
  default-server check inter 500ms fall 1 rise 1
${nodes.map((node, index) => `  server node${index + 1} 127.0.0.1:${node}`).join('\n')}
`;

/** Starts haproxy, of Debian's package, before some ports. @returns its address. */
export async function startHaproxy(folder: string, nodes: readonly number[]): Promise<string> {
  const port = await freePort();
  const [file, errors] = [join(folder, 'haproxy.cfg'), join(folder, '503.http')];
  await writeFile(errors, unanswered);
  await writeFile(file, configuration(port, errors, nodes));
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
    if (child.exitCode !== null) throw new Error('haproxy did not start');
    await wait(50);
  }
  return url;
}
