import { Invalid } from '../../../errors.ts';
import type { ListChange } from '../../../store/documents/apply-property-changes.ts';
import { updateDocument } from '../../../store/documents/update-document.ts';
import { documentMutation } from '../../operation.ts';
import { propertyMap, text } from '../../params/kinds.ts';
import { saveParam } from '../../params/shared-params.ts';
import { typedProperties } from '../../params/typed-properties.ts';

const behaviors: Readonly<Record<string, ListChange>> = {
  replace: 'replace',
  append_including_duplicates: 'append',
  append_excluding_duplicates: 'join',
};

/**
 * Reads the behavior of each property.
 * @throws Invalid for an unknown behavior, and for a property that the call does not change.
 */
function readBehaviors(
  given: Readonly<Record<string, unknown>> = {},
  changed: Readonly<Record<string, unknown>>,
): Record<string, ListChange> {
  const read = Object.entries(given).map(([xpath, name]): [string, ListChange] => {
    const behavior = behaviors[String(name).trim().toLowerCase()];
    if (!behavior)
      throw new Invalid(`propertiesBehaviors: ${xpath} must be one of ${Object.keys(behaviors).join(', ')}.`);
    if (!Object.hasOwn(changed, xpath))
      throw new Invalid(`propertiesBehaviors: ${xpath} is not one of the properties.`);
    return [xpath, behavior];
  });
  return Object.fromEntries(read);
}

export const documentUpdate = documentMutation({
  id: 'Document.Update',
  label: 'Update Properties',
  needs: 'WriteProperties',
  description:
    'Changes properties of the input document, and returns the document; null or an empty value clears one.',
  example: {
    input: '/default-domain/workspaces/report',
    params: { properties: { 'dc:title': 'The report', 'dc:nature': 'report' } },
  },
  params: {
    properties: propertyMap.required('New values by xpath; absent properties stay unchanged.'),
    propertiesBehaviors: propertyMap.optional(
      'For lists, by xpath: append_including_duplicates, append_excluding_duplicates or replace.',
    ),
    save: saveParam,
    changeToken: text.optional(
      'The change token on which the change is based; another current one is a conflict.',
    ),
  },
  run: async (context, document, { properties: given, propertiesBehaviors, changeToken }) => {
    const listChanges = readBehaviors(propertiesBehaviors, given);
    const { versioning } = context.options;
    const change = {
      properties: typedProperties(context.services.model, given),
      changeToken,
      listChanges,
      versioning,
    };
    return updateDocument(context, document, change);
  },
});
