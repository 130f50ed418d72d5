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
 * Reads how each property is to be changed, such as by appending values.
 * @throws Invalid if a behavior is unknown, or is given for a property that the call does not change
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
      throw new Invalid(`propertiesBehaviors: ${xpath} is not one of the properties that the call changes.`);
    return [xpath, behavior];
  });
  return Object.fromEntries(read);
}

export const documentUpdate = documentMutation({
  id: 'Document.Update',
  label: 'Update Properties',
  needs: 'WriteProperties',
  description:
    'Changes properties of the input document, and returns the document. A null or empty value clears a property.',
  example: {
    input: '/default-domain/workspaces/report',
    params: { properties: { 'dc:title': 'The report', 'dc:nature': 'report' } },
  },
  params: {
    properties: propertyMap.required('New values by xpath. Properties that are absent are not changed.'),
    propertiesBehaviors: propertyMap.optional(
      'For lists, by xpath: append_including_duplicates, append_excluding_duplicates or replace.',
    ),
    save: saveParam,
    changeToken: text.optional(
      'The change token on which the change is based. The call fails with a conflict if it is not the current one.',
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
