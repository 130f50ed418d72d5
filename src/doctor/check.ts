import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config } from '../config.ts';
import type { Tools } from '../converters/programs/programs.ts';
import type { Client } from '../db/database.ts';
import type { Model } from '../model/model.ts';
import type { IdentityProvider } from '../security/identity-settings.ts';
import type { WordAnalysis } from '../words/atoms.ts';

/** Something that a check has found. Each text consists of full sentences in English. */
export interface Finding {
  /** A fault makes something fail or puts data at risk. Advice concerns what works but can be improved. */
  readonly level: 'fault' | 'advice';
  /** What is wrong. */
  readonly problem: string;
  /** Why it matters. */
  readonly reason: string;
  /** What to do. */
  readonly remedy: string;
}

/** The parts of an installation that checks examine. Each is opened when a check first needs it. */
export interface Parts {
  readonly extensions: () => Promise<unknown>;
  readonly model: () => Promise<Model>;
  readonly identityProviders: () => Promise<readonly IdentityProvider[]>;
  readonly database: () => Promise<Pick<Client, 'query' | 'prisma'>>;
  /** The database, if its tables are up to date. */
  readonly tables: () => Promise<Pick<Client, 'query' | 'prisma'>>;
  readonly blobs: () => Promise<BlobStore>;
  readonly tools: () => Promise<Tools>;
  readonly wordAnalysis: () => Promise<WordAnalysis>;
}

/** The installation to check. */
export interface Installation extends Parts {
  readonly config: Config;
  /** The environment variables; by default, those of the process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the check runs in a server, so that jobs must be running as well. */
  readonly isServing: boolean;
  /** The number of addresses in the header `X-Forwarded-For` of the request; undefined if there is no request. */
  readonly forwarded?: number | undefined;
}

/** Thrown if a part cannot be opened. Only the check of that part reports the fault; others are skipped. */
export class PartFault extends Error {
  readonly part: keyof Parts;
  constructor(part: keyof Parts, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.part = part;
  }
}

/** A check of one part of an installation. */
export interface HealthCheck {
  readonly name: string;
  /** The reason and the remedy that are reported for each part of this check that cannot be opened. */
  readonly opens?: Readonly<Partial<Record<keyof Parts, Pick<Finding, 'reason' | 'remedy'>>>>;
  /** Runs the check. It does not change anything. */
  run(installation: Installation): Promise<readonly Finding[]>;
}

/** Returns the findings whose condition is true. */
export const foundIf = (...candidates: ReadonlyArray<Finding | false | undefined>): readonly Finding[] =>
  candidates.filter((candidate) => candidate !== false && candidate !== undefined);

/** Formats a duration in seconds, such as `5 minutes`. */
export function durationText(seconds: number): string {
  const [unit, length] = (
    [
      ['day', 86_400],
      ['hour', 3_600],
      ['minute', 60],
    ] as const
  ).find(([, each]) => seconds >= 2 * each) ?? ['second', 1];
  const count = Math.round(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
