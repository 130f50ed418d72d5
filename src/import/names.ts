import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { documentName, takenName } from '../model/names.ts';
import { Skipped } from './skipped.ts';

/** The name that a file's document gets, and what to do when another file of the folder wants it too. */
export interface Claim {
  readonly name: string;
  /** All files of the folder that clean to this name, the one with first right to it first. */
  readonly rivals: readonly string[];
  /** The name of those that do not get it. */
  readonly spare: string;
}

/** @throws Skipped when the file's name is none that a document can have. */
function clean(file: string): string {
  try {
    return documentName(file);
  } catch (error) {
    throw error instanceof AppError ? new Skipped(error.message) : error;
  }
}

/** A number that stays with the file: a second import must come to the same name. */
const steady = (file: string): number => createHash('sha256').update(file).digest().readUIntBE(0, 5);

/** Files whose names had to be cleaned, by what became of them; only these can meet another. */
function changedNames(files: readonly string[]): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  for (const file of files) {
    let name: string;
    try {
      name = clean(file);
    } catch {
      continue; // whoever asks for its claim is told
    }
    if (name !== file) changed.set(name, [...(changed.get(name) ?? []), file]);
  }
  return changed;
}

/** @throws Skipped when the file's name is none that a document can have. */
export type ClaimOf = (file: string) => Claim;

/** The claims of the files of one folder, given in a fixed order. */
export function claims(files: readonly string[]): ClaimOf {
  const changed = changedNames(files);
  const all = changed.size > 0 ? new Set(files) : new Set<string>();
  return (file) => {
    const name = clean(file);
    const others = changed.get(name) ?? [];
    const rivals = others.length === 0 || all.has(name) ? [name, ...others] : others;
    return { name, rivals, spare: takenName(name, steady(file)) };
  };
}

/**
 * Which of its two names a file gets.
 * @param titleOf the title of the document that has a name already: it tells which of the rivals had it before.
 */
export function chosenName(
  file: string,
  { name, rivals, spare }: Claim,
  titleOf: string | undefined,
): string {
  const before = rivals.find((rival) => rival === titleOf);
  return (before ?? rivals[0]) === file ? name : spare;
}
