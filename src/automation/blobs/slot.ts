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

/** How a property stores blobs: as a single blob, or as a list. */
interface BlobSlot {
  readonly kind: 'one' | 'list';
  /** The name of the blob field inside each item, if the items are complex values. */
  readonly field?: string;
}

/** Returns the name of the only blob field; undefined if there is none or more than one. */
function blobField({ fields }: Property): string | undefined {
  const [first, second] = [...fields.values()].filter(({ type, many }) => type === 'blob' && !many);
  return second ? undefined : first?.name;
}

/**
 * Finds where a property of any schema stores blobs.
 * @throws Invalid if the property cannot contain blobs
 */
export function blobSlot(model: Model, xpath: string): BlobSlot {
  const property = resolveXpath((first) => model.property(first), xpath)?.property;
  if (!property) throw new Invalid(`unknown property: ${xpath}`);
  if (property.type === 'blob') return { kind: property.many ? 'list' : 'one' };
  const field = property.many ? blobField(property) : undefined;
  if (field === undefined) throw new Invalid(`${xpath} is not a property that can contain files.`);
  return { kind: 'list', field };
}
