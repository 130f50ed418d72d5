import { asObject } from '../../graphql/as-object.ts';
import { builder } from '../../graphql/builder.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { changePreferences, preferencesOf } from '../../store/authorities/preferences.ts';

builder.queryField('preferences', (t) =>
  t.field({
    type: 'JSON',
    description: "The caller's preferences for the console, such as the columns of lists, by name.",
    resolve: (_, __, context) => preferencesOf(context),
  }),
);

builder.mutationField('changePreferences', (t) =>
  t.field({
    type: 'JSON',
    description: "Changes the caller's preferences; null removes one. Returns all of them.",
    args: { preferences: t.arg({ type: 'JSON', required: true }) },
    resolve: (_, { preferences }, context) => {
      const changed = asObject(preferences, 'preferences');
      requireStorable(changed);
      return changePreferences(context, changed);
    },
  }),
);
