import { Invalid } from '../../errors.ts';
import type { Trait } from '../route-traits.ts';

interface Reader<Value> {
  readonly read: (text: string, name: string) => Value;
  readonly schema: Readonly<Record<string, unknown>>;
}

/**
 * Returns the value of a header that can have only one value. Some proxies send a header twice with the same value.
 */
function singleValue(text: string): string {
  const [first = '', ...others] = text.split(',').map((item) => item.trim());
  return others.every((other) => other === first) ? first : text;
}

/** Creates a reader for a header that has a fixed set of values, ignoring case. */
function oneOf<Value>(values: Readonly<Record<string, Value>>): Reader<Value> {
  const byKey = new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
  const read = (text: string, name: string): Value => {
    const value = byKey.get(singleValue(text.toLowerCase()));
    if (value === undefined)
      throw new Invalid(`${name} must be one of ${Object.keys(values).join(', ')}; got "${text}".`);
    return value;
  };
  return { read, schema: { type: 'string', enum: Object.keys(values) } };
}

const trueOrFalse: Reader<boolean> = {
  ...oneOf({ true: true, false: false }),
  schema: { type: 'boolean', default: false },
};
const maxTimeoutSeconds = 86_400;

const seconds: Reader<number> = {
  schema: { type: 'integer', minimum: 1 },
  read: (text, name) => {
    const number = singleValue(text);
    if (!/^0*[1-9]\d*$/.test(number))
      throw new Invalid(`${name} must be a positive integer number of seconds; got "${text}".`);
    return Math.min(Number(number), maxTimeoutSeconds);
  },
};

const name: Reader<string> = { schema: { type: 'string' }, read: singleValue };

/**
 * Decodes the bytes of a header as UTF-8. Node decodes them as Latin-1, but clients send UTF-8. Text that is not
 * valid UTF-8 remains Latin-1.
 */
export function decodeHeaderText(text: string): string {
  if (/[\u0100-\uffff]/.test(text)) return text;
  const utf8 = Buffer.from(text, 'latin1').toString('utf8');
  return utf8.includes('\ufffd') ? text : utf8;
}

const freeText: Reader<string> = {
  schema: { type: 'string' },
  read: (text, name) => {
    if (text.includes('\0')) throw new Invalid(`${name} must not contain a NUL character.`);
    return decodeHeaderText(text);
  },
};

const printable: Reader<string> = {
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  read: (text, name) => {
    if (!/^[\x20-\x7e]{1,255}$/.test(text))
      throw new Invalid(`${name} must consist of 1 to 255 printable ASCII characters.`);
    return text;
  },
};

export interface HeaderDefinition extends Reader<unknown> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly appliesTo: Trait;
  /** Whether responses depend on this header, so that `Vary` must list it. */
  readonly varies?: true;
  readonly description: string;
}

/**
 * The headers of §9 that have fixed names. `name` is the documented spelling; `aliases` are spellings that the
 * reference implementation accepts; `appliesTo` selects the routes for which openapi.json lists the header.
 */
export const headerDefinitions = {
  depth: {
    ...oneOf({ root: 0, children: 1, max: 3 }),
    name: 'depth',
    aliases: ['x-nxdepth'],
    appliesTo: 'enriched',
    varies: true,
    description:
      'The number of levels of nested entities to which the other headers apply: `root` for none, `children` for 1 (the default), `max` for 3.',
  },
  timeout: {
    ...seconds,
    name: 'Svc-Transaction-Timeout',
    aliases: ['nuxeo-transaction-timeout'],
    appliesTo: 'all',
    description: 'The number of seconds after which the call is aborted and rolled back.',
  },
  searchSync: {
    ...trueOrFalse,
    name: 'svc_es_sync',
    aliases: ['nx-es-sync'],
    appliesTo: 'writes',
    description: 'Whether the write waits until its changes, including the text of files, are searchable.',
  },
  repository: {
    ...name,
    name: 'Repository',
    aliases: ['x-nxrepository', 'nxrepository'],
    appliesTo: 'all',
    varies: true,
    description: 'The repository; by default the first one. `/repo/NAME` in the URL takes precedence.',
  },
  skipAggregates: {
    ...trueOrFalse,
    name: 'skipAggregates',
    appliesTo: 'search',
    varies: true,
    description: 'Whether the results of a search omit aggregates.',
  },
  source: {
    ...freeText,
    name: 'source',
    appliesTo: 'documentWrites',
    description: 'The source of the change, for versioning policies and the log.',
  },
  comment: {
    ...freeText,
    name: 'Update-Comment',
    appliesTo: 'documentWrites',
    description: 'The comment on the change in the log.',
  },
  key: {
    ...printable,
    name: 'Idempotency-Key',
    appliesTo: 'writes',
    description:
      'Identifies the write: if it is sent again with the same key, it has no further effect and returns the stored response.',
  },
  isVoid: {
    ...trueOrFalse,
    name: 'X-SvcVoidOperation',
    aliases: ['x-nxvoidoperation'],
    appliesTo: 'calls',
    description: 'Whether a successful call returns 204 and no body.',
  },
  keepsUploads: {
    ...trueOrFalse,
    name: 'X-Batch-No-Drop',
    appliesTo: 'documentWrites',
    description: 'Whether an upload batch is kept after the call that uses it.',
  },
  versioning: {
    ...oneOf({ NONE: 'NONE', MINOR: 'MINOR', MAJOR: 'MAJOR' } as const),
    name: 'X-Versioning-Option',
    appliesTo: 'documentWrites',
    description: 'Whether the document is checked in after the write. If it is, the version is returned.',
  },
} as const satisfies Record<string, HeaderDefinition>;

export type HeaderValues = {
  [Name in keyof typeof headerDefinitions]?: ReturnType<(typeof headerDefinitions)[Name]['read']>;
};
