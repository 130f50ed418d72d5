import type { Model } from '../model/model.ts';
import { isSpecial, operandOf } from './ecm.ts';
import type { Kind } from './operand.ts';
import { Parameters } from './parameters.ts';

/** What properties of some content model are compared with. @throws Invalid on a name that nobody knows. */
export const kindsIn =
  (model: Model) =>
  (property: string): Kind => {
    const nothing = { model, parameters: new Parameters([]), now: '', mayRead: () => 'false' };
    const operand = operandOf(property, nothing);
    return isSpecial(operand) ? 'string' : operand.kind;
  };
