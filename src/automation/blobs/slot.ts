import { Invalid } from '../../errors.ts';
import type { Model, Property } from '../../model/model.ts';
import { resolveXpath } from '../../model/values/value-location.ts';
import { text } from '../params/kinds.ts';
import { saveParam } from '../params/shared-params.ts';

export const blobParams = {
  xpath: text.withDefault(
    'file:content',
    'The location of the blob, such as file:content or files:files/0/file, or of a list of blobs.',
  ),
  save: saveParam,
};

/** A property with one blob, or with a list of them. */
interface BlobSlot {
  readonly kind: 'one' | 'list';
  /** The field of each item that has the blob, where items are complex values. */
  readonly field?: string;
}

/** Undefined unless exactly one field is a blob. */
function blobField({ fields }: Property): string | undefined {
  const [first, second] = [...fields.values()].filter(({ type, many }) => type === 'blob' && !many);
  return second ? undefined : first?.name;
}

/** Finds the property in any schema of the model. @throws Invalid when it cannot have blobs. */
export function blobSlot(model: Model, xpath: string): BlobSlot {
  const property = resolveXpath((first) => model.property(first), xpath)?.property;
  if (!property) throw new Invalid(`unknown property: ${xpath}`);
  if (property.type === 'blob') return { kind: property.many ? 'list' : 'one' };
  const field = property.many ? blobField(property) : undefined;
  if (field === undefined) throw new Invalid(`${xpath} holds no blob`);
  return { kind: 'list', field };
}
