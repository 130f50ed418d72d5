import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sweep } from '../../src/jobs/sweep.ts';
import { loadModel } from '../../src/model/contributed.ts';
import { contradictions } from '../store/consistency.ts';
import type { TestServer } from '../support/server.ts';
import { type Answer, exchange, parseAnswer } from './raw.ts';
import { type Known, type Request, requests, toBytes } from './requests.ts';
import { brokenRules } from './rules.ts';
import { type FuzzedServer, fingerprint, patience, runs, seed, startFuzzed } from './running.ts';
import { ask, sampleBatch, samples } from './samples.ts';

let server: FuzzedServer;
let known: Known[];
beforeAll(async () => {
  server = await startFuzzed();
  known = await samples(server);
  await sampleBatch(server);
}, 60_000);
afterAll(() => server.stop());

/** What was answered how often: a fuzzer that is refused everything finds nothing. */
const outcomes = new Map<string, number>();

/** Keeps up with which documents are there; what most requests are about is laid again when it is gone. */
async function refresh(): Promise<void> {
  await sampleBatch(server);
  const { prisma } = server.database;
  const there = await prisma.document.findMany({
    where: { path: { startsWith: '/folder' } },
    orderBy: { id: 'asc' },
    take: 8,
  });
  known = there.length < 4 ? await samples(server) : there.map(({ id, path }) => ({ uid: id, path }));
}

let before: string;

/** Waits for what is executed later, and names what is wrong with what came of it. */
async function laterFaults({ headers }: Answer): Promise<string[]> {
  const address = headers.get('location')?.replace(/^https?:\/\/[^/]+/, '') ?? '';
  while ((await ask(server.port, address)).status === 200) await setTimeout(5);
  const { status } = await ask(server.port, address.replace(/\/status$/, ''));
  // It may have been given little time.
  return status >= 500 && status !== 503 ? [`what was executed later is ${status}`] : [];
}

/** Sends a request and names what is wrong about its answer, or about what it left behind. */
async function faultsOf(request: Request): Promise<{ faults: string[]; head: string; answer: Answer }> {
  const { head, bytes } = toBytes(request, known);
  const answer = parseAnswer(await exchange(server.port, bytes));
  const outcome = `${request.method} ${answer.status}`;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const later = answer.headers.get('location') && answer.status === 202 ? await laterFaults(answer) : [];
  const faults = [...brokenRules(request, head, answer), ...later, ...server.faults()];
  const mayWrite = ['POST', 'PUT', 'DELETE'].includes(request.method) && answer.status < 400;
  const after = await fingerprint(server);
  if (!mayWrite && after !== before) faults.push('rows were written');
  if (mayWrite && after !== before) await refresh();
  before = mayWrite ? await fingerprint(server) : after;
  return { faults, head, answer };
}

describe('Whatever is asked', () => {
  test(
    `${runs} requests are answered by the rules, and those that are refused leave no trace`,
    async () => {
      before = await fingerprint(server);
      const property = fc.asyncProperty(requests(await loadModel(undefined)), async (request) => {
        const { faults, head, answer } = await faultsOf(request);
        if (faults.length === 0) return;
        const body = request.body?.bytes.toString('utf8').slice(0, 2_000) ?? '';
        const shown = `${head}${body}\n→ ${answer.status} ${answer.body.toString('utf8').slice(0, 2_000)}`;
        throw new Error(`${faults.join('\n')}\n\n${shown}`);
      });
      await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) });
      // The rarer ones among a thousand are a matter of luck.
      const usual = [
        ['GET 200'],
        ['GET 404'],
        ['POST 400'],
        ['POST 200', 'POST 201', 'PUT 200', 'DELETE 204'],
      ];
      for (const some of usual) expect(some.filter((outcome) => outcomes.has(outcome))).not.toEqual([]);
    },
    patience,
  );

  test('what was written then fits together, is read as it was written, and keeps its blobs', async () => {
    await sweep(server.database, server.blobs, 0);
    expect(await contradictions(server as unknown as TestServer)).toEqual([]); // it needs no more than we have
    const rows = await server.database.prisma.document.findMany({ orderBy: { id: 'desc' }, take: 300 });
    for (const { id, liveId } of rows) {
      const read = await ask(server.port, `/api/v1/id/${id}`);
      expect(read.status).toBe(200);
      const sentBack = await ask(
        server.port,
        `/api/v1/id/${id}`,
        JSON.parse(read.body.toString('utf8')),
        'PUT',
      );
      if (liveId !== null)
        expect(sentBack.status).toBe(400); // a version or a proxy, which nobody writes
      else expect(sentBack.body.toString('utf8')).toBe(read.body.toString('utf8'));
    }
    expect(server.faults()).toEqual([]);
  }, 120_000);
});
