import { isSecondFactorRequired } from '../../auth/second-factor.ts';
import { builder } from '../../graphql/builder.ts';
import type { SecondFactorRow } from '../../loaders/tokens/second-factors.ts';
import { requirePassword } from '../../store/tokens/credentials.ts';
import {
  disableSecondFactor,
  enableOwnSecondFactor,
  issuerOf,
  prepareSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  type Setup,
} from '../../store/tokens/second-factor.ts';

const SecondFactor = builder
  .objectRef<{ readonly row: SecondFactorRow | null; readonly isRequired: boolean }>('SecondFactor')
  .implement({
    description: 'The second factor of the caller: codes from an authenticator app (TOTP).',
    fields: (t) => ({
      isOn: t.boolean({
        description: 'Whether the caller has a second factor.',
        resolve: ({ row }) => row !== null,
      }),
      isRequired: t.exposeBoolean('isRequired', {
        description: 'Whether a group of the caller needs a second factor (SECOND_FACTOR_GROUPS).',
      }),
      since: t.string({
        nullable: true,
        description: 'The time at which it was set up.',
        resolve: ({ row }) => row?.createdAt.toISOString() ?? null,
      }),
      recoveryCodes: t.int({
        description: 'The number of recovery codes that have not been used.',
        resolve: ({ row }) => row?.recoveryCodes ?? 0,
      }),
    }),
  });

const SecondFactorSetup = builder.objectRef<Setup>('SecondFactorSetup').implement({
  description: 'A new secret, which is not stored until `enableSecondFactor` confirms it.',
  fields: (t) => ({
    secret: t.exposeString('secret', { description: 'The secret in Base32.' }),
    uri: t.exposeString('uri', { description: 'The otpauth URI, to be shown as a QR code.' }),
    ticket: t.exposeString('ticket', { description: 'The argument of `enableSecondFactor`.' }),
  }),
});

builder.queryField('secondFactor', (t) =>
  t.field({
    type: SecondFactor,
    description: 'The second factor of the caller.',
    resolve: async (_, __, { load, user, services: { config } }) => ({
      row: await load.secondFactor(),
      isRequired: isSecondFactorRequired(config, user),
    }),
  }),
);

const proof = builder.args((t) => ({
  password: t.string({ required: true }),
  code: t.string({ required: true, description: 'A code from the authenticator app, or a recovery code.' }),
}));

builder.mutationFields((t) => ({
  prepareSecondFactor: t.field({
    type: SecondFactorSetup,
    description:
      "Creates a secret for the caller's authenticator app. The caller must authenticate with a password.",
    resolve: (_, __, { services: { config, secrets }, user }) => {
      requirePassword(user, 'a second factor');
      return prepareSecondFactor(secrets, user.id, issuerOf(config));
    },
  }),
  enableSecondFactor: t.stringList({
    description:
      "Turns on the caller's second factor, ends all sessions of the caller, and returns the recovery codes.",
    args: {
      ...proof,
      ticket: t.arg.string({ required: true }),
    },
    resolve: (_, setup, context) => {
      requirePassword(context.user, 'a second factor');
      return enableOwnSecondFactor(context, setup);
    },
  }),
  renewRecoveryCodes: t.stringList({
    description: "Replaces the caller's recovery codes.",
    args: proof,
    resolve: (_, given, context) => renewRecoveryCodes(context, given),
  }),
  disableSecondFactor: t.boolean({
    description: "Turns off the caller's second factor, and ends all sessions of the caller.",
    args: proof,
    resolve: async (_, given, context) => {
      await disableSecondFactor(context, given);
      return true;
    },
  }),
  removeSecondFactor: t.id({
    description: 'Turns off the second factor of a user who has lost it; for administrators.',
    args: { username: t.arg.id({ required: true }) },
    resolve: async (_, { username }, context) => {
      await removeSecondFactor(context, username);
      return username;
    },
  }),
}));
