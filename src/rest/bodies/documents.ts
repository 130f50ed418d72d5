import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import { entity, maybe, properties, type ReadBody, reader } from '../body.ts';

const required = z
  .string({
    error: ({ input }) =>
      input === undefined || input === null ? 'type or name property is missing' : 'is no string',
  })
  .refine((text) => text.trim() !== '', 'type or name property is missing');

/** §2.1: what a document may be created from; all other fields of the entity are ignored. */
export const newDocument = reader(
  z
    .object(
      { 'entity-type': entity('document'), name: required, type: required, properties },
      'the body is no JSON object',
    )
    .meta({ title: 'NewDocument' }),
  ({ name, type, properties: given }) => ({ name, type, properties: given ?? {} }),
);

/** §2.1: what a document may be changed by; all other fields of the entity are ignored. */
export const changedDocument = reader(
  z
    .object(
      { 'entity-type': entity('document'), uid: maybe, changeToken: maybe, properties },
      'the body is no JSON object',
    )
    .meta({ title: 'DocumentChange' }),
  ({ uid, changeToken, properties: given }) => ({ uid, changeToken, properties: given ?? {} }),
);

/** The one blob of a body. */
export const sentBlob: ReadBody = (_, [blob] = []) => {
  if (!blob) throw new Invalid('the body has no parts: it must be one blob');
  return blob;
};
