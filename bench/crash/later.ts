import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import { bulkJob } from '../../src/store/bulk/commands.ts';
import { executionJob } from '../../src/store/executions/begin-execution.ts';
import { ask } from './ask.ts';
import type { Settings } from './target.ts';

/** The folder in which asynchronous executions create documents and bulk actions change them. */
const place = '/later';

/** On average, one in this many calls is a bulk action. */
const callsPerBulkAction = 10;

/** The maximum time that accepted work can take after the server is back, in milliseconds. */
const completionTimeout = 90_000;

const changing = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${place}'`;

/**
 * Work that continues after the response: asynchronous executions, each of which creates a document, and bulk
 * actions, each of which changes all of these documents.
 */
export class Later {
  /** The titles of documents whose executions were accepted. */
  readonly #accepted = new Set<string>();
  /** The titles of documents whose requests were interrupted. */
  readonly #cutOff = new Set<string>();
  #count = 0;

  async prepare(url: string): Promise<void> {
    const body = { 'entity-type': 'document', type: 'Folder', name: place.slice(1) };
    const { status } = await ask(url, '/path/', 'POST', body);
    if (status !== 201) throw new Error(`POST ${place}: ${status}`);
  }

  async #create(url: string): Promise<Response | undefined> {
    const title = `later ${this.#count}`;
    const params = { type: 'File', name: 'made', properties: { 'dc:title': title } };
    const body = { input: place, params };
    const response = await ask(url, '/automation/Document.Create/@async', 'POST', body).catch(
      () => undefined,
    );
    if (!response) this.#cutOff.add(title);
    if (response?.status === 202) this.#accepted.add(title);
    return response;
  }

  #change(url: string): Promise<Response | undefined> {
    const query = new URLSearchParams({ query: changing });
    const body = { 'dc:description': `changed ${this.#count}` };
    return ask(url, `/search/bulk/setProperties?${query}`, 'POST', body).catch(() => undefined);
  }

  /**
   * Starts executions and bulk actions until the server is gone or the time is up.
   * @returns descriptions of incorrect responses
   */
  async load(url: string, isOver: () => boolean): Promise<string[]> {
    while (!isOver()) {
      this.#count += 1;
      const isBulk = this.#count % callsPerBulkAction === 0;
      const response = await (isBulk ? this.#change(url) : this.#create(url));
      if (!response) return [];
      const text = await response.text().catch(() => '');
      if (response.status === 429 || response.status === 503) await wait(100);
      else if (response.status !== 202) return [`${response.url}: ${response.status} ${text}`];
    }
    return [];
  }

  /**
   * Waits until all accepted work has ended.
   * @returns descriptions of work that did not end or took effect more than once
   */
  async faults(settings: Settings): Promise<string[]> {
    const { database } = await openDatabase(readConfig({ ...settings }));
    try {
      await endLeases(database);
      const end = performance.now() + completionTimeout;
      while ((await pending(database)) > 0 && performance.now() < end) await wait(100);
      return [...(await this.#executionFaults(database)), ...(await bulkFaults(database))];
    } finally {
      await database.close();
    }
  }

  async #executionFaults({ prisma }: Database): Promise<string[]> {
    const left = await prisma.execution.count({ where: { answer: null } });
    const found = new Map<string, number>();
    for (const { title } of await documentsOf(prisma)) found.set(title, (found.get(title) ?? 0) + 1);
    const wanted = (title: string) => this.#accepted.has(title) || this.#cutOff.has(title);
    return [
      ...(left > 0 ? [`${left} executions have not ended`] : []),
      ...[...this.#accepted]
        .filter((title) => !found.has(title))
        .map((title) => `"${title}" was not created`),
      ...[...found]
        .filter(([, count]) => count > 1)
        .map(([title, count]) => `"${title}" was created ${count} times`),
      ...[...found.keys()]
        .filter((title) => !wanted(title))
        .map((title) => `"${title}" was created, but its request was not accepted`),
    ];
  }

  /** The number of executions that the server has accepted. */
  get accepted(): number {
    return this.#accepted.size;
  }
}

const documentsOf = (prisma: Database['prisma']) =>
  prisma.document.findMany({
    where: { path: { startsWith: `${place}/` } },
    select: { title: true, userToken: true },
  });

/** Ends the leases of jobs whose processes were killed. Otherwise the jobs would wait until the leases expire. */
async function endLeases(database: Database): Promise<void> {
  const where = { kind: { in: [executionJob, bulkJob] }, state: 'running' };
  await database.prisma.job.updateMany({ where, data: { runAt: new Date(0) } });
  await database.announce('jobs');
}

const isActive = { state: { in: ['SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING'] } };

const pending = async ({ prisma }: Database): Promise<number> =>
  (await prisma.execution.count({ where: { answer: null } })) +
  (await prisma.bulkCommand.count({ where: isActive }));

/**
 * Checks that each bulk action completes and changes each of its documents exactly once, by comparing the counters
 * in change tokens.
 */
async function bulkFaults({ prisma }: Database): Promise<string[]> {
  const commands = await prisma.bulkCommand.findMany();
  const faults = commands
    .filter(
      ({ state, failed, processed, total }) => state !== 'COMPLETED' || failed > 0 || processed !== total,
    )
    .map(({ id, state, failed, error }) => `the bulk action ${id} is ${state}, ${failed} failed: ${error}`);
  const processed = commands.reduce((sum, command) => sum + command.processed, 0);
  const changed = (await documentsOf(prisma)).reduce((sum, { userToken }) => sum + userToken, 0);
  if (processed !== changed)
    faults.push(`${processed} changes by bulk actions, but the documents have ${changed}`);
  return faults;
}
