import { call, Field, input, type Selection } from '../../selection/selection.ts';
import { addressedGuard } from '../rights-first.ts';
import { type documentAddresses, get, post, put, type Route } from '../route.ts';
import { businessObject } from './bodies.ts';

const objectName = { name: input('address.object') };
const businessObjectFields: Selection = { 'entity-type': new Field({ name: 'name' }), value: true };

/** The routes that read and write a document as a business object (§4.7). */
export const businessObjectRows = ({
  at,
  by,
  named,
  document: address,
}: (typeof documentAddresses)[number]): Route[] => [
  get(
    `${at}/@bo/:object`,
    () => ({ document: call(address, { businessObject: call(objectName, businessObjectFields) }) }),
    {
      name: `getBusinessObjectBy${by}`,
      summary: 'A document as a business object',
      resultPath: ['document', 'businessObject'],
    },
  ),
  put(
    `${at}/@bo/:object`,
    businessObject,
    () => ({
      updateBusinessObject: call(
        {
          ...address,
          ...objectName,
          ifMatch: input('ifMatch'),
          ifNoneMatch: input('ifNoneMatch'),
          object: input('body'),
        },
        businessObjectFields,
      ),
    }),
    {
      name: `updateBusinessObjectBy${by}`,
      guard: addressedGuard('WriteProperties'),
      summary: 'Change the properties of a document that a business object contains',
    },
  ),
  post(
    `${at}/@bo/:object/:name`,
    businessObject,
    () => ({
      createBusinessObject: call(
        {
          [`parent${by}`]: named,
          ...objectName,
          documentName: input('address.name'),
          object: input('body'),
        },
        businessObjectFields,
      ),
    }),
    {
      name: `createBusinessObjectBy${by}`,
      guard: addressedGuard('AddChildren'),
      summary: 'Create a document from a business object, as a child of the document in the URL',
    },
  ),
];
