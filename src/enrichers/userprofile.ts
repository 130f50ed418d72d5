import type { Context } from '../context.ts';
import type { AuthorityRow } from '../loaders/authorities.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { asBlob } from '../model/stored.ts';
import { builder } from '../schema/builder.ts';
import { blobUrl } from '../schema/links.ts';
import type { Enricher } from './enricher.ts';

/** The document that a user's profile is kept in, or none. */
interface Profile {
  readonly document: DocumentRow | null;
}

const fieldOf = ({ document }: Profile, name: string) => document?.properties[`userprofile:${name}`] ?? null;
const textOf = (profile: Profile, name: string) => fieldOf(profile, name) as string | null;

const avatarOf = ({ document }: Profile, context: Context): string | null => {
  const xpath = 'userprofile:avatar';
  return document && asBlob(document.properties[xpath]) ? blobUrl(context, document, xpath) : null;
};

const UserProfile = builder.objectRef<Profile>('UserProfile').implement({
  description: 'What a user tells about himself; all null without a profile.',
  fields: (t) => ({
    avatar: t.string({
      nullable: true,
      description: 'Where the picture is.',
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

/** `enrichers.user: userprofile`: what clients ask for when they connect. */
export const userprofile: Enricher<AuthorityRow> = {
  name: 'userprofile',
  field: (t) =>
    t.field({
      type: UserProfile,
      resolve: async ({ id }, _, { load }) => ({ document: await load.profileOf.load(id) }),
    }),
  select: () => ({ avatar: true, birthdate: true, phonenumber: true, gender: true, locale: true }),
};
