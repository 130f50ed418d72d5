import { InvalidArgumentError } from 'commander';
import { readConfig } from '../../config.ts';
import { findTools } from '../../converters/programs/programs.ts';
import { wordAnalysisOf } from '../../open-services.ts';
import type { CheckContext, FoundFault } from '../../store/checks/check.ts';
import { checks } from '../../store/checks/index.ts';
import { typesWithText } from '../../store/search/file-words.ts';
import { exitCode } from '../exit-codes.ts';
import { showProgress } from '../progress.ts';
import { type CommandInput, interruption, type Output, runs } from '../run-command.ts';
import { openCommandServices, withDatabase } from '../services.ts';
import type { QuireCommand, Surroundings } from '../surroundings.ts';

interface Options {
  readonly repair: boolean;
  readonly digests: boolean;
}

interface Counts {
  faults: number;
  repaired: number;
}

const names = checks.map(({ name }) => name);

/** Adds the kind of check named by an argument to the kinds named by earlier arguments. */
function addKind(kind: string, before: readonly string[] = []): readonly string[] {
  if (names.includes(kind)) return [...before, kind];
  throw new InvalidArgumentError(`The valid kinds are ${names.join(', ')}.`);
}

function lineOf({ path, id, kind, message, isRepaired }: FoundFault): string {
  const document = id === undefined ? '' : `${path} (${id}) `;
  return `${kind}: ${document}${message}${isRepaired ? ' - repaired' : ''}`;
}

type Shared = Omit<CheckContext, 'onProgress' | 'onFault'>;

/** Runs the checks one after the other, and prints each fault as soon as it is found. */
async function runChecks(
  output: Output,
  shared: Shared,
  stderr: Surroundings['stderr'],
  requested: readonly string[],
): Promise<Record<string, Counts>> {
  const results: Record<string, Counts> = {};
  for (const check of checks.filter(({ name }) => requested.includes(name))) {
    if (shared.signal.aborted) break;
    const counts: Counts = { faults: 0, repaired: 0 };
    const progress = showProgress(stderr);
    const onFault = (fault: FoundFault) => {
      counts.faults += 1;
      if (fault.isRepaired) counts.repaired += 1;
      output.result(`${check.name}/${lineOf(fault)}`, { check: check.name, ...fault });
    };
    const onProgress = (count: number) => progress.update(0, 1, `${check.name}: ${count} rows`);
    const note = await check.run({ ...shared, onFault, onProgress }).finally(() => progress.stop());
    for (const detail of note?.details ?? [])
      output.result(`${check.name}/${detail.kind}: ${detail.message}`, {
        check: check.name,
        ...detail,
        isFault: false,
      });
    if (Object.values(note?.counts ?? {}).some(Boolean)) output.warn(`${check.name}: ${note?.text}`);
    results[check.name] = { ...counts, ...note?.counts };
  }
  return results;
}

const summaryOf = (results: Record<string, Counts>): string =>
  Object.entries(results)
    .map(
      ([name, { faults, repaired }]) => `${name} ${faults}${repaired > 0 ? ` (${repaired} repaired)` : ''}`,
    )
    .join(', ');

async function work(output: Output, { args, options, surroundings }: CommandInput<Options>): Promise<number> {
  const config = readConfig(surroundings.env);
  const tools = await findTools(config.CONVERTER_FOLDERS, config.OCR_LANGUAGES);
  return withDatabase(config, surroundings, async (database) => {
    const shared: Shared = {
      ...(await openCommandServices(config, database)),
      isRepairing: options.repair,
      readsBytes: options.digests,
      textTypes: typesWithText(tools),
      analysis: await wordAnalysisOf(config),
      signal: interruption(surroundings),
    };
    const results = await runChecks(output, shared, surroundings.stderr, args.length > 0 ? args : names);
    const left = Object.values(results).reduce((sum, { faults, repaired }) => sum + faults - repaired, 0);
    output.result(`Faults: ${summaryOf(results)}`, { checks: results, left });
    if (shared.signal.aborted) output.warn('Interrupted; the remaining checks were not run.');
    return shared.signal.aborted ? exitCode.interrupted : left > 0 ? exitCode.faultsFound : exitCode.done;
  });
}

export function checkCommand(command: QuireCommand): void {
  command
    .argument('[kinds...]', `what to check: ${names.join(', ')} (default: all)`, addKind)
    .option(
      '--repair',
      'repair faults that can be repaired without loss of data; writes wait in the meantime',
      false,
    )
    .option('--digests', 'also read all blobs and compare their digests', false)
    .addHelpText('after', '\nThe settings are those of the server, which can run at the same time.');
  runs<Options>(command, work);
}
