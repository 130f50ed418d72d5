import { AppError, Forbidden, Invalid } from '../errors.ts';
import type { Context, DocumentOperations, NamedOperation } from '../loaders/context.ts';
import { chainByName } from './chains/chains.ts';
import { isExpression } from './chains/expressions.ts';
import { availableOperation } from './index.ts';
import type { Operation } from './operation.ts';
import { readParams } from './params/read-params.ts';
import { runOperation } from './run.ts';

/**
 * The maximum number of operations that a bulk action can run on one document, so that no document can delay the others
 * for long.
 */
const maxRuns = 100;

const maxDepth = 8;

/**
 * Returns the operations that an operation calls, as far as this is known before it runs: the steps of a chain, and
 * the `id` passed to `RunOperation`.
 */
function calledBy(
  { services: { model } }: Context,
  operation: Operation,
  named: NamedOperation['parameters'],
) {
  const { id, params } = operation;
  if (chainByName(model, id) === operation)
    return (model.chains.get(id)?.operations ?? []).map((step) => ({
      name: step.id,
      parameters: step.params ?? {},
    }));
  const names = params.parameters?.kind.expressions === 'later' ? [named.id] : [];
  return names
    .filter((name) => typeof name === 'string' && !isExpression(name))
    .map((name) => ({ name: String(name), parameters: {} }));
}

/**
 * @throws NotFound, NotServed, Forbidden; Invalid if the operation waits for other work or does not map documents to
 * documents
 */
function usableOperation(context: Context, { name, parameters }: NamedOperation, depth = 0): Operation {
  const operation = availableOperation(name, context);
  if (operation.waits)
    throw new Invalid(`${operation.id} cannot be a bulk action, because it waits for other work.`);
  if (depth < maxDepth)
    for (const step of calledBy(context, operation, parameters)) usableOperation(context, step, depth + 1);
  return operation;
}

function requireSuitable(context: Context, named: NamedOperation): void {
  const operation = usableOperation(context, named);
  const { id, takes, gives } = operation;
  if (!takes.some((kind) => kind === 'document' || kind === 'documents'))
    throw new Invalid(
      `${id} cannot be a bulk action, because its input is ${takes.join(' or ')}, not a document.`,
    );
  if (gives === 'blob' || gives === 'bloblist')
    throw new Invalid(`${id} cannot be a bulk action, because its output is a file, which would be lost.`);
  readParams(operation, named.parameters, {
    isStrict: context.options.isStrict,
    keepsExpressions: true,
  });
}

/** Runs the operations that bulk actions specify, one document at a time. The outputs are discarded. */
export const documentOperations: DocumentOperations = {
  check: (context, named) => {
    try {
      requireSuitable(context, named);
    } catch (error) {
      const isOther = error instanceof AppError && !(error instanceof Forbidden);
      throw isOther ? new Invalid(error.message, { cause: error }) : error;
    }
  },
  run: (context, document, { name, parameters }) =>
    runOperation(
      availableOperation(name, context),
      context,
      { input: { document }, params: parameters },
      maxRuns,
    ),
};
