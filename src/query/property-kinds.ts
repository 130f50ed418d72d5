import type { Model } from '../model/model.ts';
import { isEqualityOperand, operandOf } from './ecm.ts';
import type { ValueKind } from './operand.ts';
import { SqlParameters } from './parameters.ts';

/** Finds the kind of a property's values. @throws Invalid on an unknown property. */
export const propertyKinds =
  (model: Model) =>
  (property: string): ValueKind => {
    const compilation = { model, parameters: new SqlParameters([]), now: '', mayRead: () => 'false' };
    const operand = operandOf(property, compilation);
    return isEqualityOperand(operand) ? 'string' : operand.kind;
  };
