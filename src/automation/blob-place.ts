import { Invalid } from '../errors.ts';
import type { Model, Property } from '../model/model.ts';
import { placeOf } from '../model/value-at.ts';
import { text } from './kinds.ts';
import { optionally } from './params.ts';
import { saveParam } from './save-param.ts';

/** Where a blob is, or is to be, and when that is saved. */
export const blobParams = {
  xpath: optionally(
    text,
    'file:content',
    'Where the blob is: file:content, files:files/0/file; or a list of blobs.',
  ),
  save: saveParam,
};

/** What holds blobs: one, or a list of them, which may each be in a field of an item. */
export interface BlobPlace {
  readonly kind: 'one' | 'list';
  readonly field?: string;
}

/** The only field of complex values that is a blob. */
function blobField({ fields }: Property): string | undefined {
  const [first, second] = [...fields.values()].filter(({ type, many }) => type === 'blob' && !many);
  return second ? undefined : first?.name;
}

/** Which blobs there can be at an xpath, whatever schema has it. @throws Invalid when there can be none. */
export function blobPlace(model: Model, xpath: string): BlobPlace {
  const property = placeOf((first) => model.property(first), xpath)?.property;
  if (!property) throw new Invalid(`unknown property: ${xpath}`);
  if (property.type === 'blob') return { kind: property.many ? 'list' : 'one' };
  const field = property.many ? blobField(property) : undefined;
  if (field === undefined) throw new Invalid(`${xpath} holds no blob`);
  return { kind: 'list', field };
}
