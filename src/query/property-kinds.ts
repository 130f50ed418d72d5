import type { Model } from '../model/model.ts';
import { isEqualityOperand, operandOf } from './ecm.ts';
import { newCompilation } from './operand.ts';
import { SqlParameters } from './parameters.ts';
import type { ValueKind } from './value-kind.ts';

/**
 * Returns a function that determines the kind of a property's values, and throws QueryFault if the property is
 * unknown.
 */
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
    const operand = operandOf(property.replace(/\/\*\d{1,3}/, '/*'), compilation);
    return isEqualityOperand(operand) ? (operand.valueKind ?? 'string') : operand.kind;
  };
