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
  ({ name, type, properties: given }, { blobs: [file] }) => ({
    document: { name, type, properties: given ?? {} },
    file,
  }),
);

export const changedDocument = bodyReader(
  objectShape('DocumentChange', {
    'entity-type': entityTypeShape('document'),
    uid: optionalText,
    changeToken: optionalText,
    properties: propertiesShape,
  }),
  ({ uid, changeToken, properties: given }) => ({ uid, changeToken, properties: given ?? {} }),
);

export const businessObject = bodyReader(
  objectShape('BusinessObject', {
    'entity-type': optionalText,
    value: anyObject('is no object'),
  }),
  ({ 'entity-type': entityType, value }) => ({ entityType, value }),
);

export const singleBlobBody: BodyReader = (_, { blobs: [blob] } = { blobs: [], isStrict: false }) => {
  if (!blob) throw new Invalid('the body has no parts: it must be one blob');
  return blob;
};
