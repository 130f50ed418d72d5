import { isOpen } from '../../blobs/private-folder.ts';
import { type Config, environmentVariable, isExposed, mistypedSettings } from '../../config.ts';
import { deprecations } from '../../deprecations.ts';
import { extensions } from '../../extensions/loaded.ts';
import { type Finding, foundIf, type HealthCheck } from '../check.ts';

/** The minimum number of bytes in a JWT_SECRET. Shorter secrets can be guessed. */
const minSecretBytes = 32;

const mistyped = ({ name, setting }: ReturnType<typeof mistypedSettings>[number]): Finding => ({
  level: 'advice',
  problem: `The environment variable ${name} is not a setting.`,
  reason: `It has no effect. ${setting} has a similar name.`,
  remedy: `Rename the variable to ${setting}, or remove it.`,
});

/** Returns the deprecated settings that are set. */
const deprecatedFindings = (env?: NodeJS.ProcessEnv): Finding[] =>
  Object.entries(deprecations.settings)
    .filter(([name]) => environmentVariable(name, env) !== undefined)
    .map(([name, { version, sunset, instead }]) => ({
      level: 'advice',
      problem: `The setting ${name} has been deprecated since ${version}.`,
      reason: `A release on or after ${sunset} can remove it.`,
      remedy: instead,
    }));

/** Checks the settings themselves. The server also logs these findings when it starts. */
export async function settingsFindings(config: Config, env?: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const { JWT_SECRET, SMTP_URL, PUBLIC_URL, DATA_DIR, BLOB_REDIRECT, BLOB_STORE, NODE_ENV } = config;
  const extensionSettings = new Set(extensions().flatMap(({ settings }) => Object.keys(settings)));
  const isOpenToOthers = await isOpen(DATA_DIR).catch(() => false); // The folder may not exist yet.
  return foundIf(
    JWT_SECRET !== undefined &&
      Buffer.byteLength(JWT_SECRET) < minSecretBytes && {
        level: 'fault',
        problem: `JWT_SECRET is shorter than ${minSecretBytes} bytes.`,
        reason: 'Somebody who has a token can guess it, and then sign tokens for every user.',
        remedy: 'Set a longer secret.',
      },
    SMTP_URL !== undefined &&
      PUBLIC_URL === undefined && {
        level: 'fault',
        problem: 'SMTP_URL is set without PUBLIC_URL.',
        reason: 'Links in emails are based on the Host header of requests, which senders can forge.',
        remedy: 'Set PUBLIC_URL to the address of this server.',
      },
    isOpenToOthers && {
      level: 'fault',
      problem: 'Other users of this computer can access DATA_DIR.',
      reason: 'It contains all files and the key for tokens.',
      remedy: 'Make the user who runs the server its owner, so that the server can restrict its permissions.',
    },
    BLOB_REDIRECT &&
      BLOB_STORE === 'folder' && {
        level: 'advice',
        problem: 'BLOB_REDIRECT has no effect.',
        reason: 'Files are stored in a folder instead of S3.',
        remedy: 'Remove the setting, or set BLOB_STORE.',
      },
    isExposed(config) &&
      NODE_ENV !== 'production' && {
        level: 'advice',
        problem: 'Others can reach the server, but NODE_ENV is not production.',
        reason: 'Everybody sees the GraphQL schema, and the durations in the header Server-Timing.',
        remedy: 'Set NODE_ENV=production.',
      },
    ...deprecatedFindings(env),
    ...mistypedSettings(env)
      .filter(({ name }) => !extensionSettings.has(name))
      .map(mistyped),
  );
}

/** Checks the settings. */
export const settingsCheck: HealthCheck = {
  name: 'settings',
  run: async ({ config, env, extensions: load }) => {
    await load().catch(() => undefined); // Their settings are no mistakes. The check of extensions reports a failure.
    return settingsFindings(config, env);
  },
};
