import { Invalid } from '../../errors.ts';
import { anyObject } from '../../model/values/any-object.ts';
import {
  type BodyReader,
  bodyReader,
  entityTypeShape,
  objectShape,
  optionalText,
  presentText,
  propertiesShape,
} from '../request/body.ts';

export const newDocument = bodyReader(
  objectShape('NewDocument', {
    'entity-type': entityTypeShape('document'),
    name: presentText,
    type: presentText,
    properties: propertiesShape,
  }),
  ({ name, type, properties: values }, { blobs: [file] }) => ({
    document: { name, type, properties: values ?? {} },
    file,
  }),
);

const writtenFields: readonly string[] = ['entity-type', 'uid', 'changeToken', 'properties'];

/** Whether a field name can be written into a header. */
const isPlain = (name: string): boolean => /^[\w:@.-]{1,50}$/.test(name);

/**
 * Returns a warning if a body has fields but no `properties`. Only properties are written (§4.1), so the client has
 * probably put the values in the wrong place.
 */
function ignoredBody(json: unknown): string | undefined {
  const { properties: values, ...others } = (json ?? {}) as { readonly properties?: object | null };
  if (values && Object.keys(values).length > 0) return undefined;
  const ignored = Object.keys(others).filter((name) => !writtenFields.includes(name));
  if (ignored.length === 0) return undefined;
  const named = ignored.filter(isPlain).slice(0, 5).join(', ');
  return `The body changes no property. Only its "properties" are written${named && `, not ${named}`}.`;
}

const documentChange = bodyReader(
  objectShape('DocumentChange', {
    'entity-type': entityTypeShape('document'),
    uid: optionalText,
    changeToken: optionalText,
    properties: propertiesShape,
  }),
  ({ uid, changeToken, properties: values }) => ({ uid, changeToken, properties: values ?? {} }),
);

export const changedDocument: BodyReader = Object.assign(
  ((json, context) => {
    const input = documentChange(json, context);
    const fault = context?.isStrict ? ignoredBody(json) : undefined;
    if (fault !== undefined) throw new Invalid(fault);
    return input;
  }) satisfies BodyReader,
  { shape: documentChange.shape, warning: ignoredBody },
);

export const businessObject = bodyReader(
  objectShape('BusinessObject', {
    'entity-type': optionalText,
    value: anyObject('must be an object'),
  }),
  ({ 'entity-type': entityType, value }) => ({ entityType, value }),
);

export const singleBlobBody: BodyReader = (_, { blobs: [blob] } = { blobs: [], isStrict: false }) => {
  if (!blob) throw new Invalid('The body must contain one file.');
  return blob;
};
