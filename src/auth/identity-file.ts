import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Config, ConfigError, environmentVariable } from '../config.ts';
import { filterFault } from '../ldap/filters.ts';
import type { Model } from '../model/model.ts';
import {
  type IdentityProvider,
  parseIdentitySettings,
  type SecretPlace,
  type StoredLdapProvider,
  type StoredOidcProvider,
  withLdapDefaults,
} from '../security/identity-settings.ts';

/** A value that IDENTITY_FILE refers to, such as the content of a file, or the reason why it could not be read. */
interface ReadValue {
  readonly value?: string;
  readonly fault?: string;
}

async function readText(path: string, folder: string): Promise<ReadValue> {
  try {
    return { value: await readFile(resolve(folder, path), 'utf8') };
  } catch (error) {
    return { fault: `${path} cannot be read: ${(error as Error).message}` };
  }
}

/** Reads a secret from an environment variable or a file. A trailing line break in the file is removed. */
async function readSecret(place: SecretPlace | undefined, folder: string): Promise<ReadValue> {
  if (place === undefined) return {};
  if ('variable' in place) {
    const value = environmentVariable(place.variable);
    return value === undefined
      ? { fault: `the environment variable ${place.variable} is not set` }
      : { value };
  }
  const { value, fault } = await readText(place.file, folder);
  if (value === undefined) return { fault: fault ?? '' };
  const secret = value.replace(/\r?\n$/, '');
  return secret === '' ? { fault: `${place.file} is empty` } : { value: secret };
}

/** Reads a file with the certificates of a certificate authority, in PEM format. */
async function readCertificates(path: string | undefined, folder: string): Promise<ReadValue> {
  if (path === undefined) return {};
  const { value, fault } = await readText(path, folder);
  if (value === undefined) return { fault: fault ?? '' };
  try {
    new X509Certificate(value);
    return { value };
  } catch {
    return { fault: `${path} does not contain a certificate in PEM format` };
  }
}

interface ReadProvider {
  readonly provider: IdentityProvider;
  /** The faults. Each text begins with the name of the invalid setting. */
  readonly faults: readonly string[];
}

const placed = (place: string, fault: string | undefined): string[] =>
  fault === undefined ? [] : [`${place}: ${fault}`];

async function readOidc(
  name: string,
  { clientSecret, ...stored }: StoredOidcProvider,
  folder: string,
): Promise<ReadProvider> {
  const { value, fault } = await readSecret(clientSecret, folder);
  return {
    provider: { ...stored, name, label: stored.label ?? name, clientSecret: value },
    faults: placed('clientSecret', fault),
  };
}

async function readLdap(name: string, stored: StoredLdapProvider, folder: string): Promise<ReadProvider> {
  const settings = withLdapDefaults(stored);
  const password = await readSecret(stored.bindPassword, folder);
  const ca = await readCertificates(stored.ca, folder);
  return {
    provider: {
      ...settings,
      name,
      label: stored.label ?? name,
      bindPassword: password.value,
      ca: ca.value,
    },
    faults: [
      ...placed('bindPassword', password.fault),
      ...placed('ca', ca.fault),
      ...placed('filter', await filterFault(settings.filter)),
    ],
  };
}

/** The method that AUTH_CHAIN must contain for each kind of provider. */
const methods = { oidc: 'oidc', ldap: 'basic' } as const;

/**
 * Reads the identity providers from IDENTITY_FILE. Without this setting, there are none.
 * @throws ConfigError that names the file and the location of each error in it
 */
export async function readIdentityFile(
  { IDENTITY_FILE: path, AUTH_CHAIN }: Pick<Config, 'IDENTITY_FILE' | 'AUTH_CHAIN'>,
  model: Pick<Model, 'schemas'>,
): Promise<readonly IdentityProvider[]> {
  if (path === undefined) {
    if (AUTH_CHAIN.includes('oidc'))
      throw new ConfigError(
        'AUTH_CHAIN: "oidc" requires IDENTITY_FILE, which configures the identity providers',
      );
    return [];
  }
  const json = await readFile(path, 'utf8').catch((error: Error) => {
    throw new ConfigError(`IDENTITY_FILE: ${error.message}`);
  });
  const userProperties = new Set(model.schemas.get('user')?.properties.keys() ?? []);
  const { providers, faults } = parseIdentitySettings(json, userProperties);
  const folder = dirname(path);
  const read = await Promise.all(
    providers.map(([name, stored]) =>
      stored.kind === 'oidc' ? readOidc(name, stored, folder) : readLdap(name, stored, folder),
    ),
  );
  const all = [
    ...faults,
    ...read.flatMap(({ provider, faults: own }) => own.map((fault) => `providers.${provider.name}.${fault}`)),
  ];
  if (all.length > 0) throw new ConfigError(all.map((fault) => `${path}: ${fault}`).join('\n'));
  const kinds = new Set(providers.map(([, { kind }]) => kind));
  for (const kind of kinds)
    if (!AUTH_CHAIN.includes(methods[kind]))
      throw new ConfigError(
        `IDENTITY_FILE: AUTH_CHAIN does not contain "${methods[kind]}", so providers of the kind "${kind}" would not be used`,
      );
  if (AUTH_CHAIN.includes('oidc') && !kinds.has('oidc'))
    throw new ConfigError('AUTH_CHAIN: "oidc" requires a provider of the kind "oidc" in IDENTITY_FILE');
  return read.map(({ provider }) => provider);
}
