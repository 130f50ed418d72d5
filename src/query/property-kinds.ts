import type { Model } from '../model/model.ts';
import { isEqualityOperand, operandOf } from './ecm.ts';
import { newCompilation, type ValueKind } from './operand.ts';
import { SqlParameters } from './parameters.ts';

/** Finds the kind of a property's values. @throws Invalid on an unknown property. */
export const propertyKinds =
  (model: Model) =>
  (property: string): ValueKind => {
    const parameters = new SqlParameters([]);
    const compilation = newCompilation({
      model,
      parameters,
      now: '',
      mayRead: () => 'false',
      mayReadAcl: () => 'false',
    });
    const operand = operandOf(property, compilation);
    return isEqualityOperand(operand) ? 'string' : operand.kind;
  };
