import { flag, text } from './kinds.ts';
import { optionally, required } from './params.ts';

/** Which property an operation changes, and when that is saved. */
export const propertyParams = {
  xpath: required(text, 'Where the property is: dc:title.'),
  save: optionally(flag, true, 'Every change is saved: only true is served.', { values: ['true'] }),
};
