import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { documentName, suffixedName } from '../model/names.ts';
import { Skipped } from './skipped.ts';

/**
 * The name of the document for a file, and an alternative in case several files of a folder would get the same name.
 */
export interface NameClaim {
  readonly name: string;
  /** All files of the folder that would get the name. The first of them does. */
  readonly rivals: readonly string[];
  readonly fallback: string;
}

/** Normalizes the name of a file to that of a document. @throws Skipped if that is not possible. */
function clean(file: string): string {
  try {
    // Some systems store file names in decomposed form, which looks the same.
    return documentName(file.normalize('NFC'));
  } catch (error) {
    throw error instanceof AppError ? new Skipped(error.message) : error;
  }
}

/** A number that depends only on the name of the file, so that a second import finds the document of the first. */
const stableNumber = (file: string): number => createHash('sha256').update(file).digest().readUIntBE(0, 5);

/** The files whose names have to be changed, by the new name. Only their names can collide with others. */
function changedNames(files: readonly string[]): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  for (const file of files) {
    let name: string;
    try {
      name = clean(file);
    } catch {
      continue; // `nameClaims` throws for this file
    }
    if (name !== file) changed.set(name, [...(changed.get(name) ?? []), file]);
  }
  return changed;
}

/** Returns the claim of a file. @throws Skipped if its name cannot be that of a document. */
export type NameClaimOf = (file: string) => NameClaim;

/**
 * Computes the claims of the files of a folder.
 * @param files the names, in an order that is the same in each import.
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
 * Chooses the name of the document for a file.
 * @param titleOf the title of the existing document with the claimed name, which is the name of the file it came from.
 */
export function chosenName(
  file: string,
  { name, rivals, fallback }: NameClaim,
  titleOf: string | undefined,
): string {
  const before = rivals.find((rival) => rival === titleOf);
  return (before ?? rivals[0]) === file ? name : fallback;
}
