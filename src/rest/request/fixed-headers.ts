import { Invalid } from '../../errors.ts';
import type { Trait } from '../route-traits.ts';

interface Reader<Value> {
  readonly read: (text: string, name: string) => Value;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Returns the only value of a header. Some proxies repeat a header with the same value. */
function singleValue(text: string): string {
  const [first = '', ...others] = text.split(',').map((item) => item.trim());
  return others.every((other) => other === first) ? first : text;
}

/** Reads one of a fixed set of values, regardless of case. */
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
      throw new Invalid(`${name} must be a whole number of seconds above 0; got "${text}".`);
    return Math.min(Number(number), maxTimeoutSeconds);
  },
};

const name: Reader<string> = { schema: { type: 'string' }, read: singleValue };

/**
 * Decodes header bytes as UTF-8, as clients send them; Node decodes them as Latin-1. Text that is not valid
 * UTF-8 stays Latin-1.
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
  /** Whether answers at the same address differ by this header, so that `Vary` lists it. */
  readonly varies?: true;
  readonly description: string;
}

/**
 * §9: the headers with fixed names. `name` is the contract's spelling, `aliases` are the reference
 * implementation's, and `appliesTo` selects the routes for which openapi.json lists the header.
 */
export const headerDefinitions = {
  depth: {
    ...oneOf({ root: 0, children: 1, max: 3 }),
    name: 'depth',
    aliases: ['x-nxdepth'],
    appliesTo: 'enriched',
    varies: true,
    description:
      'The number of levels of nested entities that headers shape: `root` for none, `children` for 1 (the default), `max` for 3.',
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
    description: 'Whether the write waits until searches find its changes, including the words of files.',
  },
  repository: {
    ...name,
    name: 'Repository',
    aliases: ['x-nxrepository', 'nxrepository'],
    appliesTo: 'all',
    varies: true,
    description: 'The repository; by default the first one. `/repo/NAME` in the address takes precedence.',
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
      'Identifies the write: when it is sent again with the same key, it has no effect and gets the stored answer.',
  },
  isVoid: {
    ...trueOrFalse,
    name: 'X-SvcVoidOperation',
    aliases: ['x-nxvoidoperation'],
    appliesTo: 'calls',
    description: 'Whether a successful call gets 204 without a body.',
  },
  keepsUploads: {
    ...trueOrFalse,
    name: 'X-Batch-No-Drop',
    appliesTo: 'documentWrites',
    description: 'Whether an upload batch remains after the call that uses it.',
  },
  versioning: {
    ...oneOf({ NONE: 'NONE', MINOR: 'MINOR', MAJOR: 'MAJOR' } as const),
    name: 'X-Versioning-Option',
    appliesTo: 'documentWrites',
    description: 'Whether the document is checked in after the write. If it is, the answer is the version.',
  },
} as const satisfies Record<string, HeaderDefinition>;

export type HeaderValues = {
  [Name in keyof typeof headerDefinitions]?: ReturnType<(typeof headerDefinitions)[Name]['read']>;
};
