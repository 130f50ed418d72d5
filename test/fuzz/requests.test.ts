/** @group slow */

import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { sweepBlobs } from '../../src/store/blobs/sweep-blobs.ts';
import { contradictions } from '../store/consistency.ts';
import { use } from '../support/use.ts';
import { type Answer, exchange, parseAnswer } from './raw.ts';
import { type Known, type Request, requests, toBytes } from './requests.ts';
import { brokenRules, isNotServed } from './rules.ts';
import { fingerprint, patience, runs, seed, startFuzzed } from './running.ts';
import { ask, sampleBatch, samples } from './samples.ts';
import { useTally } from './tally.ts';

jest.setTimeout(patience);

const server = use(startFuzzed);
const tally = useTally('requests');
let known: Known[];
beforeAll(async () => {
  known = await samples(server);
  await sampleBatch(server);
});

/** Counts the answers by status: a fuzzer that is always refused finds nothing. */
const outcomes = new Map<string, number>();

/** Tracks the existing documents, and recreates the most used ones when they are deleted. */
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

/** Waits for asynchronous executions, and lists the faults of their results. */
async function laterFaults(request: Request, { headers }: Answer): Promise<string[]> {
  const address = headers.get('location')?.replace(/^https?:\/\/[^/]+/, '') ?? '';
  while ((await ask(server.port, address)).status === 200) await setTimeout(5);
  const { status } = await ask(server.port, address.replace(/\/status$/, ''));
  const isAllowed = status === 503 || (status === 501 && isNotServed(request)); // its time limit may have been short
  return status >= 500 && !isAllowed ? [`what was executed later is ${status}`] : [];
}

/** Sends a request and lists the faults of its answer and of its effects. */
async function faultsOf(request: Request): Promise<{ faults: string[]; head: string; answer: Answer }> {
  const { head, bytes } = toBytes(request, known);
  const answer = parseAnswer(await exchange(server.port, bytes));
  tally(answer.status);
  const outcome = `${request.method} ${answer.status}`;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const later =
    answer.headers.get('location') && answer.status === 202 ? await laterFaults(request, answer) : [];
  const faults = [...brokenRules(request, head, answer), ...later, ...server.faults()];
  const mayWrite = ['POST', 'PUT', 'DELETE'].includes(request.method) && answer.status < 400;
  const after = await fingerprint(server);
  if (!mayWrite && after !== before) faults.push('rows were written');
  if (mayWrite && after !== before) await refresh();
  before = mayWrite ? await fingerprint(server) : after;
  return { faults, head, answer };
}

describe('generated REST requests', () => {
  test(`${runs} requests are answered by the rules, and refused ones write nothing`, async () => {
    before = await fingerprint(server);
    const property = fc.asyncProperty(requests(await loadModel(undefined)), async (request) => {
      const { faults, head, answer } = await faultsOf(request);
      if (faults.length === 0) return;
      const body = request.body?.bytes.toString('utf8').slice(0, 2_000) ?? '';
      const shown = `${head}${body}\n→ ${answer.status} ${answer.body.toString('utf8').slice(0, 2_000)}`;
      throw new Error(`${faults.join('\n')}\n\n${shown}`);
    });
    await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) });
    // Which rare ones occur among so many is random.
    const usual = [/^GET 200$/, /^GET 404$/, /^POST 400$/, /^(POST|PUT|DELETE) 20[0124]$/];
    for (const some of usual) expect([...outcomes.keys()]).toContainEqual(expect.stringMatching(some));
  });

  test('leave consistent data, which reads as it was written and keeps its blobs', async () => {
    await sweepBlobs(server.database, server.blobs, 0);
    expect(await contradictions(server)).toEqual([]);
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
        expect(sentBack.status).toBe(400); // versions and proxies are read-only
      else expect(sentBack.body.toString('utf8')).toBe(read.body.toString('utf8'));
    }
    expect(server.faults()).toEqual([]);
  });
});
