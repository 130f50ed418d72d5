import { builder } from '../../graphql/builder.ts';
import type { LoginTokenRow } from '../../loaders/tokens/login-tokens.ts';
import { createLoginToken, deleteLoginTokens, revokeLoginToken } from '../../store/tokens/login-tokens.ts';

const Token = builder.objectRef<LoginTokenRow>('Token').implement({
  description: 'A login token (§5), without the token itself.',
  fields: (t) => ({
    id: t.exposeID('id'),
    username: t.exposeString('userId'),
    application: t.exposeString('application'),
    deviceId: t.exposeString('deviceId'),
    deviceDescription: t.exposeString('deviceDescription'),
    permission: t.exposeString('permission'),
    creationDate: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    lastUsed: t.string({
      nullable: true,
      description: 'The last use, up to two minutes late; null if the token has not been used.',
      resolve: ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? null,
    }),
  }),
});

const Tokens = builder.objectRef<readonly LoginTokenRow[]>('Tokens').implement({
  fields: (t) => ({ entries: t.field({ type: [Token], resolve: (rows) => [...rows] }) }),
});

builder.queryField('tokens', (t) =>
  t.field({
    type: Tokens,
    description: "The caller's login tokens, optionally only those of one application.",
    args: { application: t.arg.string() },
    resolve: (_, { application }, { load }) => load.loginTokens(application ?? undefined),
  }),
);

const device = builder.args((t) => ({
  application: t.string({ defaultValue: '' }),
  deviceId: t.string({ defaultValue: '' }),
}));

builder.mutationFields((t) => ({
  createToken: t.string({
    description:
      "The caller's login token for a device. Until it is revoked, the same token is returned. For callers with a password (§5).",
    args: {
      ...device,
      deviceDescription: t.arg.string({ defaultValue: '' }),
      permission: t.arg.string({ defaultValue: '' }),
    },
    resolve: (_, { application, deviceId, deviceDescription, permission }, context) =>
      createLoginToken(context, {
        application: application ?? '',
        deviceId: deviceId ?? '',
        deviceDescription: deviceDescription ?? '',
        permission: permission ?? '',
      }),
  }),
  revokeToken: t.boolean({
    description: "Revokes the caller's login token for a device, and returns whether there was one.",
    args: device,
    resolve: (_, { application, deviceId }, context) =>
      revokeLoginToken(context, { application: application ?? '', deviceId: deviceId ?? '' }),
  }),
  deleteToken: t.id({
    description:
      'Revokes a login token, given by its id or by the token itself. Only for its owner and for administrators.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => {
      await deleteLoginTokens(context, [id]);
      return id;
    },
  }),
}));
