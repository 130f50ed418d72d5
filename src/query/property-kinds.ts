import type { Model } from '../model/model.ts';
import { isEqualityOperand, operandOf } from './ecm.ts';
import { newCompilation } from './operand.ts';
import { SqlParameters } from './parameters.ts';
import type { ValueKind } from './value-kind.ts';

/** Finds the kind of a property's values, or of a numbered element. @throws Invalid on an unknown one. */
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
    return isEqualityOperand(operand) ? 'string' : operand.kind;
  };
