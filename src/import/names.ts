import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { documentName, normalizedName, suffixedName } from '../model/names.ts';
import { Skipped } from './skipped.ts';

/**
 * The document name for a file, and an alternative that is used if several files in a folder would get the same name.
 */
export interface NameClaim {
  readonly name: string;
  /** All files of the folder that would get the same name. The first one gets it. */
  readonly rivals: readonly string[];
  readonly fallback: string;
}

/** Converts a file name to a document name. @throws Skipped if that is not possible. */
function clean(file: string): string {
  try {
    // Some systems store file names in decomposed form, which looks the same as the composed form.
    return documentName(normalizedName(file));
  } catch (error) {
    throw error instanceof AppError ? new Skipped(error.message) : error;
  }
}

/**
 * Returns a number that depends only on the file name, so that a repeated import finds the document that the first
 * import created.
 */
const stableNumber = (file: string): number => createHash('sha256').update(file).digest().readUIntBE(0, 5);

/**
 * Maps document names to the files that would get them. Only files whose names must be changed are included, because
 * only their names can collide with others.
 */
function changedNames(files: readonly string[]): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  for (const file of files) {
    let name: string;
    try {
      name = clean(file);
    } catch {
      continue; // the function returned by `nameClaims` throws for this file
    }
    if (name !== file) changed.set(name, [...(changed.get(name) ?? []), file]);
  }
  return changed;
}

/** Returns a file's name claim. @throws Skipped if the file name cannot be converted to a document name. */
export type NameClaimOf = (file: string) => NameClaim;

/**
 * Computes the name claims for the files of a folder.
 * @param files the file names, in an order that is the same in every import.
 */
export function nameClaims(files: readonly string[]): NameClaimOf {
  const changed = changedNames(files);
  const all = changed.size > 0 ? new Set(files) : new Set<string>();
  return (file) => {
    const name = clean(file);
    const others = changed.get(name) ?? [];
    const rivals = others.length === 0 || all.has(name) ? [name, ...others] : others;
    return { name, rivals, fallback: suffixedName(name, stableNumber(file)) };
  };
}

/**
 * Chooses between the claimed name and the alternative for a file.
 * @param titleOf the title of the existing document with the claimed name. The title is the name of the file from which
 * the document was imported.
 */
export function chosenName(
  file: string,
  { name, rivals, fallback }: NameClaim,
  titleOf: string | undefined,
): string {
  const before = rivals.find((rival) => rival === titleOf);
  return (before ?? rivals[0]) === file ? name : fallback;
}
