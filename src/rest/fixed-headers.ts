import { Invalid } from '../errors.ts';

/** How a header is read, and what it may be, as JSON Schema. */
interface Reader<Value> {
  readonly read: (text: string, name: string) => Value;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A header that takes one value may be repeated as long as it says the same each time. */
function once(text: string): string {
  const [first = '', ...others] = text.split(',').map((item) => item.trim());
  return others.every((other) => other === first) ? first : text;
}

/** A closed set of values, in whatever case. */
function oneOf<Value>(values: Readonly<Record<string, Value>>): Reader<Value> {
  const byKey = new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
  const read = (text: string, name: string): Value => {
    const value = byKey.get(once(text.toLowerCase()));
    if (value === undefined)
      throw new Invalid(`${name}: "${text}" is none of ${Object.keys(values).join(', ')}`);
    return value;
  };
  return { read, schema: { type: 'string', enum: Object.keys(values) } };
}

const trueOrFalse: Reader<boolean> = {
  ...oneOf({ true: true, false: false }),
  schema: { type: 'boolean', default: false },
};
const day = 86_400;

const seconds: Reader<number> = {
  schema: { type: 'integer', minimum: 1 },
  read: (text, name) => {
    const number = once(text);
    if (!/^0*[1-9]\d*$/.test(number))
      throw new Invalid(`${name}: "${text}" is no whole number of seconds above 0`);
    return Math.min(Number(number), day);
  },
};

const word: Reader<string> = { schema: { type: 'string' }, read: once };

/** What a client writes in UTF-8 arrives as one character for each byte. */
export function decoded(text: string): string {
  if (/[^\x20-\xff]/.test(text)) return text;
  const utf8 = Buffer.from(text, 'latin1').toString('utf8');
  return utf8.includes('\ufffd') ? text : utf8;
}

const words: Reader<string> = {
  schema: { type: 'string' },
  read: (text, name) => {
    if (text.includes('\0')) throw new Invalid(`${name}: contains a NUL character`);
    return decoded(text);
  },
};

const printable: Reader<string> = {
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  read: (text, name) => {
    if (!/^[\x20-\x7e]{1,255}$/.test(text))
      throw new Invalid(`${name}: expected 1 to 255 printable characters`);
    return text;
  },
};

/**
 * §9: the fixed headers, by the name under which they are known here: the contract's, others, how it is read, which
 * calls it matters to, and what it does.
 */
export const fixed = {
  depth: {
    ...oneOf({ root: 0, children: 1, max: 3 }),
    ...{ name: 'depth', others: ['x-nxdepth'], on: 'enriched' },
    says: 'How many levels of nested entities are shaped: none, 1 (the default) or 3.',
  },
  timeout: {
    ...seconds,
    ...{ name: 'Svc-Transaction-Timeout', others: ['nuxeo-transaction-timeout'], on: 'all' },
    says: 'Seconds after which the call is given up, and undone.',
  },
  searchSync: {
    ...trueOrFalse,
    ...{ name: 'svc_es_sync', others: ['nx-es-sync'], on: 'none' },
    says: 'Searches find what was written before at once, with or without it.',
  },
  repository: {
    ...word,
    ...{ name: 'Repository', others: ['x-nxrepository', 'nxrepository'], on: 'all' },
    says: 'The repository; the first one when absent. `/repo/NAME` in the address says it, too.',
  },
  skipAggregates: {
    ...trueOrFalse,
    ...{ name: 'skipAggregates', others: [], on: 'search' },
    says: 'Whether aggregates are left out of the results of a search.',
  },
  source: {
    ...words,
    ...{ name: 'source', others: [], on: 'documentWrites' },
    says: 'Where the change comes from: versioning policies and the log know of it.',
  },
  comment: {
    ...words,
    ...{ name: 'Update-Comment', others: [], on: 'documentWrites' },
    says: 'What is said of the change in the log.',
  },
  key: {
    ...printable,
    ...{ name: 'Idempotency-Key', others: [], on: 'writes' },
    says: 'A write that is sent again with the same key answers what it answered, and does nothing.',
  },
  isVoid: {
    ...trueOrFalse,
    ...{ name: 'X-SvcVoidOperation', others: ['x-nxvoidoperation'], on: 'calls' },
    says: 'Whether nothing is answered: 204, whatever there is.',
  },
  keepsUploads: {
    ...trueOrFalse,
    ...{ name: 'X-Batch-No-Drop', others: [], on: 'documentWrites' },
    says: 'Whether an upload is kept after the call that used it.',
  },
  versioning: {
    ...oneOf({ NONE: 'NONE', MINOR: 'MINOR', MAJOR: 'MAJOR' } as const),
    ...{ name: 'X-Versioning-Option', others: [], on: 'documentWrites' },
    says: 'Whether the document is checked in after the write; the answer is the version then.',
  },
} as const;

export type Fixed = { [Name in keyof typeof fixed]?: ReturnType<(typeof fixed)[Name]['read']> };
