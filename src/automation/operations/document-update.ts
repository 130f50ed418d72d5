import { Invalid } from '../../errors.ts';
import type { ListChange } from '../../store/placed.ts';
import { updateDocument } from '../../store/update-document.ts';
import { properties, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, required } from '../params.ts';
import { saveParam } from '../save-param.ts';
import { typedProperties } from '../typed-properties.ts';

/** What a list that is given does to the list that is there. */
const behaviors: Readonly<Record<string, ListChange>> = {
  replace: 'replace',
  append_including_duplicates: 'append',
  append_excluding_duplicates: 'join',
};

/** @throws Invalid when one is of no property that is changed, or none of the behaviours. */
function readBehaviors(
  given: Readonly<Record<string, unknown>> = {},
  changed: Readonly<Record<string, unknown>>,
): Record<string, ListChange> {
  const read = Object.entries(given).map(([xpath, name]): [string, ListChange] => {
    const behavior = behaviors[String(name).trim().toLowerCase()];
    if (!behavior)
      throw new Invalid(`propertiesBehaviors: ${xpath}: is none of ${Object.keys(behaviors).join(', ')}`);
    if (!Object.hasOwn(changed, xpath))
      throw new Invalid(`propertiesBehaviors: ${xpath} is none of the properties`);
    return [xpath, behavior];
  });
  return Object.fromEntries(read);
}

/** Other properties for the input. */
export const documentUpdate = operation({
  id: 'Document.Update',
  label: 'Update Properties',
  category: 'Document',
  description: 'Changes properties of the input document, and answers it; null or nothing clears one.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    properties: required(properties, 'New values by xpath; what is absent stays.'),
    propertiesBehaviors: optional(
      properties,
      'For lists, by xpath: append_including_duplicates, append_excluding_duplicates or replace.',
    ),
    save: saveParam,
    changeToken: optional(text, 'The state that the change is based on; another one is a conflict.'),
  },
  run: async (context, document, { properties: given, propertiesBehaviors, changeToken }) => {
    const lists = readBehaviors(propertiesBehaviors, given);
    const { versioning } = context.options;
    const change = { properties: typedProperties(context.model, given), changeToken, lists, versioning };
    return updateDocument(context, document, change);
  },
});
