import type { Model } from '../../model/model.ts';
import { leavesInput, operationOrChain } from '../index.ts';
import { anyInput, ignoresOthers, type Operation } from '../operation.ts';
import { signatureOf } from '../output-kinds.ts';
import { chainByName } from './chains.ts';

/** The maximum depth to which nested chains are examined. */
const maxDepth = 8;

/** For each kind of input, the kinds to which it can be converted if an operation does not accept it. */
const taken: Readonly<Record<string, readonly string[]>> = {
  document: ['documents'],
  bloblist: ['blob'],
};

type Outputs = ReadonlyMap<string, string>;

interface Step {
  readonly step: Operation;
  readonly outputs: Outputs;
}

const outputsOf = (signature: readonly string[]): Outputs =>
  new Map(
    signature.flatMap((kind, index) =>
      index % 2 === 0 ? [[kind, signature[index + 1] ?? 'void'] as const] : [],
    ),
  );

/**
 * Returns the kind of output that a step produces for a given kind of input; undefined if the step does not accept this
 * input.
 */
function outputFor({ step, outputs }: Step, kind: string): string | undefined {
  if (kind === 'object') return [...outputs.values()][0];
  const others = [...(taken[kind] ?? []), ...(ignoresOthers(step) ? ['void'] : [])];
  const as = [kind, ...others].find((each) => outputs.has(each));
  return as === undefined ? undefined : outputs.get(as);
}

/**
 * Returns a chain's signature for listings: pairs of a kind of input that the chain accepts and the kind of the
 * resulting output.
 */
export function signatureIn(model: Model, operation: Operation, depth = 0): string[] {
  const chain = chainByName(model, operation.id) === operation ? model.chains.get(operation.id) : undefined;
  if (!chain) return signatureOf(operation);
  if (depth > maxDepth) return ['void', 'object'];
  const steps = chain.operations.map(({ id }) => {
    const step = operationOrChain(model, id);
    return step && { step, outputs: outputsOf(signatureIn(model, step, depth + 1)) };
  });
  const [first] = steps;
  const inputs = first && !leavesInput(first.step) ? [...first.outputs.keys()] : anyInput;
  return inputs.flatMap((input) => {
    let kind: string | undefined = input;
    for (const each of steps) {
      if (!each || kind === undefined) break;
      if (!leavesInput(each.step)) kind = outputFor(each, kind);
    }
    return kind === undefined ? [] : [input, kind];
  });
}
