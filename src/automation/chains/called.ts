import type { Context } from '../../loaders/context.ts';
import type { Call } from '../call.ts';
import { outcomeOfInput } from '../input.ts';
import type { OperationOutcome } from '../kinds.ts';
import { callParams, flag, integer, text } from '../params/kinds.ts';
import type { ParamValues } from '../params/param.ts';

const ignored = 'Ignored, because the whole call is one transaction.';

export const calledParams = {
  id: text.required('The name of the operation or chain.'),
  parameters: callParams.optional('The parameters. String values can be expressions.'),
  isolate: flag.withDefault(false, 'Whether changes to variables are discarded after the call.'),
  newTx: flag.withDefault(false, ignored),
  timeout: integer.optional(ignored),
  rollbackGlobalOnError: flag.withDefault(true, ignored),
};

/**
 * Returns the call for a nested operation. If `isIsolated` is true, the nested operation gets copies of the variables
 * and the stack, and cannot change those of its caller.
 */
export const calledWithin = (call: Call, isIsolated: boolean): Call =>
  isIsolated ? call.with({ variables: new Map(call.variables), stack: [...call.stack] }) : call;

export async function runCalled(
  context: Context,
  _: unknown,
  { id, parameters = {}, isolate }: ParamValues<typeof calledParams>,
  call: Call,
): Promise<OperationOutcome> {
  const within = calledWithin(call, isolate);
  return (await within.run(id, parameters)) ?? outcomeOfInput(context, call.input);
}
