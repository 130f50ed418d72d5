import { text } from './kinds.ts';
import { required } from './params.ts';
import { saveParam } from './save-param.ts';

/** Which property an operation changes, and when that is saved. */
export const propertyParams = {
  xpath: required(text, 'Where the property is, or a place within one: dc:title, files:files/0/file.'),
  save: saveParam,
};
