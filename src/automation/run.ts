import { BadReference, Forbidden, Invalid, NotFound } from '../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../event-loop.ts';
import { redactUnreadable } from '../loaders/acls/access.ts';
import type { Context } from '../loaders/context.ts';
import type { DocumentListShape, DocumentRow } from '../loaders/documents/document-row.ts';
import type { DocumentReference } from '../model/document-reference.ts';
import { requireRights, requireSomePermission } from '../store/row-locks/before-locks.ts';
import { lockWithAncestors } from '../store/row-locks/lock-with-ancestors.ts';
import type { Call, CallState, KnownInput } from './call.ts';
import { evaluateParams } from './chains/evaluate-params.ts';
import { requireFewVariables } from './chains/variables.ts';
import { availableOperation, leavesInput, requireAvailable } from './index.ts';
import { inputFor, type OperationCall, readInput } from './input.ts';
import type { OperationOutcome } from './kinds.ts';
import type { Operation } from './operation.ts';
import { itemKindOf, listKindOf } from './output-kinds.ts';
import type { Params, ParamValues } from './params/param.ts';
import { readParams } from './params/read-params.ts';

/**
 * Removes from the output the properties that the caller cannot read. This is needed because callers can write
 * documents that they cannot read.
 */
async function redacted({ load }: Context, { kind, value }: OperationOutcome): Promise<OperationOutcome> {
  if (value === null) return { kind: 'void', value };
  if (kind === 'document') return { kind, value: await redactUnreadable(load.access, value as DocumentRow) };
  if (kind !== 'documents') return { kind, value };
  const list = value as DocumentListShape;
  const entries = await Promise.all(list.entries.map((row) => redactUnreadable(load.access, row)));
  return { kind, value: { ...list, entries } };
}

// Runs an operation for each document in a list. Queries run concurrently, so that their reads are batched; mutations
// run one at a time. All documents are loaded and locked before the first mutation. Therefore a mutation cannot
// invalidate references to later documents, a document that is listed twice is processed once, and calls that list the
// same documents in different orders do not cause a deadlock.
async function runEach(
  { kind, locks }: Operation,
  context: Context,
  { references, values }: { references: readonly DocumentReference[]; values: ParamValues<Params> },
  runOne: (input: DocumentReference) => Promise<unknown>,
): Promise<unknown[]> {
  if (kind === 'query' || references.length < 2) return Promise.all(references.map(runOne));
  const options = locks?.(values);
  await requireSomePermission(context, [...references, ...(options?.additional ?? [])]);
  const { documents } = await lockWithAncestors(context, references, options);
  const outputs: unknown[] = [];
  for (const id of new Set(documents.map((row) => row.id))) outputs.push(await runOne({ id }));
  return outputs;
}

/** Converts BadReference to Invalid, because the bad reference came from a parameter. */
function invalidParameter(error: unknown): never {
  throw error instanceof BadReference ? new Invalid(error.message, { cause: error }) : error;
}

/**
 * The maximum number of operations that a call can run. An operation that processes several documents or blobs
 * counts once for each of them.
 */
const maxRunsOfCall = 10_000;

const maxDepth = 32;

function spendRuns({ left }: Call, runs: number): void {
  left.runs -= Math.max(runs, 1);
  if (left.runs < 0) throw new Invalid(`The call runs more than ${left.maxRuns} operations.`);
}

/**
 * Returns the error to report for an invalid parameter. A caller who lacks the permission for the call gets the
 * permission error instead, so that the message reveals nothing. This check is needed only if a parameter is invalid;
 * otherwise, the operation itself checks the permission when it reads the document.
 */
async function faultFor(
  { needs }: Operation,
  context: Context,
  { input, error }: { readonly input: KnownInput; readonly error: unknown },
): Promise<unknown> {
  const { kind, value } = input;
  if (!(error instanceof Invalid) || needs === undefined) return error;
  if (kind !== 'document' && kind !== 'documents') return error;
  try {
    await requireRights(context, kind === 'document' ? [value] : value, needs);
  } catch (refusal) {
    if (refusal instanceof Forbidden || refusal instanceof NotFound) return refusal;
  }
  return error;
}

/** Runs an operation whose parameters no longer contain expressions. */
async function perform(
  operation: Operation,
  context: Context,
  call: Call,
  params: Readonly<Record<string, unknown>>,
  isStrict = false,
): Promise<OperationOutcome> {
  try {
    return await performUnchecked(operation, context, call, params, isStrict);
  } catch (error) {
    throw await faultFor(operation, context, { input: call.input, error });
  }
}

async function performUnchecked(
  operation: Operation,
  context: Context,
  call: Call,
  params: Readonly<Record<string, unknown>>,
  isStrict: boolean,
): Promise<OperationOutcome> {
  const { gives, isOneForOne } = operation;
  if (isTurnOver()) await yieldToEventLoop();
  const values = readParams(operation, params, { isStrict });
  if (isTurnOver()) await yieldToEventLoop();
  const input = inputFor(operation, call.input);
  const items = 'each' in input ? input.each : input.single;
  spendRuns(call, Array.isArray(items) ? items.length : 1);
  const run = (one: unknown, own = call) =>
    operation.run(context, one as never, values, own).catch(invalidParameter);
  if ('each' in input) {
    const given = { references: input.each, values };
    const runOne = (value: DocumentReference) =>
      run(value, call.with({ input: { kind: 'document', value } }));
    const outputs = (await runEach(operation, context, given, runOne)).filter((output) => output !== null);
    if (gives === 'void') return { kind: 'void', value: null };
    const value = gives === 'document' ? { entries: outputs } : outputs;
    return redacted(context, { kind: listKindOf(gives), value });
  }
  const value = await run(input.single);
  if (gives === 'object') return (value as OperationOutcome | null) ?? { kind: 'void', value: null };
  if (!isOneForOne || !input.isItem) return redacted(context, { kind: gives, value });
  const [item = null] =
    gives === 'documents' ? (value as DocumentListShape).entries : (value as readonly unknown[]);
  return redacted(context, { kind: itemKindOf(gives), value: item });
}

function callOf(context: Context, state: CallState): Call {
  return {
    ...state,
    with: (changes) => callOf(context, { ...state, ...changes }),
    requireOperation: (name) => void availableOperation(name, context),
    run: async (name, params) => {
      const operation = availableOperation(name, context);
      if (state.depth >= maxDepth && operation.gives === 'object')
        throw new Invalid(
          `${operation.id}: operations cannot call each other more than ${maxDepth} levels deep.`,
        );
      const values = await evaluateParams(context, state, operation.params, params, true);
      const inner = callOf(context, { ...state, depth: state.depth + 1 });
      const outcome = await perform(operation, context, inner, values);
      if (operation.kind === 'mutation') context.reload();
      return leavesInput(operation) ? undefined : outcome;
    },
  };
}

/**
 * Runs an operation.
 * @throws NotFound if the operation does not exist or is hidden from the caller; Invalid if the input or a parameter is
 * not suitable; any error that the operation itself throws
 */
export async function runOperation(
  operation: Operation,
  context: Context,
  { input, params, variables }: OperationCall,
  maxRuns = maxRunsOfCall,
): Promise<OperationOutcome> {
  requireAvailable(operation, context);
  requireFewVariables(Object.keys(variables ?? {}).length);
  const call = callOf(context, {
    input: await readInput(context, input),
    variables: new Map(Object.entries(variables ?? {})),
    parameters: {},
    stack: [],
    depth: 0,
    left: { runs: maxRuns, maxRuns, characters: 20_000_000 },
  });
  const values = await evaluateParams(context, call, operation.params, params, false);
  return perform(operation, context, call, values, context.options.isStrict);
}
