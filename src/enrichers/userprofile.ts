import { builder } from '../graphql/builder.ts';
import type { AuthorityRow } from '../loaders/authorities/authorities.ts';
import type { Context } from '../loaders/context.ts';
import { changeToken, type DocumentRow } from '../loaders/documents/document-row.ts';
import { asBlob } from '../model/values/stored.ts';
import type { Enricher } from './enricher.ts';

interface Profile {
  readonly document: DocumentRow | null;
}

const fieldOf = ({ document }: Profile, name: string) => document?.properties[`userprofile:${name}`] ?? null;
const textOf = (profile: Profile, name: string) => fieldOf(profile, name) as string | null;

const avatarOf = ({ document }: Profile, { options }: Context): string | null => {
  const xpath = 'userprofile:avatar';
  return document && asBlob(document.properties[xpath])
    ? options.links.blob(document, xpath, changeToken(document))
    : null;
};

const UserProfile = builder.objectRef<Profile>('UserProfile').implement({
  description: 'The profile of a user. All fields are null if the user has no profile.',
  fields: (t) => ({
    avatar: t.string({
      nullable: true,
      description: 'The URL of the profile picture.',
      resolve: (profile, _, context) => avatarOf(profile, context),
    }),
    birthdate: t.string({ nullable: true, resolve: (profile) => textOf(profile, 'birthdate') }),
    phonenumber: t.string({ nullable: true, resolve: (profile) => textOf(profile, 'phonenumber') }),
    gender: t.boolean({
      nullable: true,
      resolve: (profile) => fieldOf(profile, 'gender') as boolean | null,
    }),
    locale: t.string({ nullable: true, resolve: (profile) => textOf(profile, 'locale') }),
  }),
});

export const userprofileEnricher: Enricher<AuthorityRow> = {
  name: 'userprofile',
  field: (t) =>
    t.field({
      type: UserProfile,
      resolve: async ({ id }, _, { load }) => ({ document: await load.profileByUserId.load(id) }),
    }),
  select: () => ({ avatar: true, birthdate: true, phonenumber: true, gender: true, locale: true }),
};
