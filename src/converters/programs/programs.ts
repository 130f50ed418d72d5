import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** External programs: their titles, which messages use, and the names of their executables. */
const known = {
  libreoffice: { title: 'LibreOffice', files: ['soffice', 'libreoffice'] },
  ffmpeg: { title: 'ffmpeg', files: ['ffmpeg'] },
  ffprobe: { title: 'ffprobe', files: ['ffprobe'] },
  tesseract: { title: 'tesseract', files: ['tesseract'] },
} as const;

export type Program = keyof typeof known;

/** The paths of the installed programs. */
type ProgramPaths = Readonly<Partial<Record<Program, string>>>;

/** The installed programs, and the settings for running them. */
export interface Tools {
  readonly paths: ProgramPaths;
  /** Whether programs can be run without network access. */
  readonly canIsolate: boolean;
  /** The languages that tesseract recognizes, such as `eng+deu`. */
  readonly ocrLanguages: string;
}

export const noTools: Tools = { paths: {}, canIsolate: false, ocrLanguages: '' };

export const programTitle = (program: Program): string => known[program].title;

/**
 * Returns the path of a program. Callers first use `missingPrograms` to check that it is installed.
 * @throws Error if the program is not installed.
 */
export function programPath({ paths }: Tools, program: Program): string {
  const path = paths[program];
  if (path === undefined) throw new Error(`${programTitle(program)} is not installed`);
  return path;
}

const allPrograms = Object.keys(known) as readonly Program[];

const run = promisify(execFile);

async function locate(files: readonly string[], folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders)
    for (const file of files) {
      const path = join(folder, process.platform === 'win32' ? `${file}.exe` : file);
      const exists = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (exists) return path;
    }
  return undefined;
}

/**
 * Returns whether programs can run in a separate network namespace, which only Linux supports and some containers
 * forbid.
 */
const canIsolate = (): Promise<boolean> =>
  run('unshare', ['--map-root-user', '--net', 'true'], { timeout: 5_000 }).then(
    () => true,
    () => false,
  );

/** Returns the requested languages for which tesseract has no data. */
async function missingLanguages(tesseract: string, requested: readonly string[]): Promise<string[]> {
  const { stdout } = await run(tesseract, ['--list-langs'], { timeout: 10_000 });
  const installed = new Set(stdout.split(/\s+/));
  return requested.filter((language) => !installed.has(language));
}

export const programReport = ({ paths, canIsolate: isolated, ocrLanguages }: Tools) => ({
  found: paths,
  missing: allPrograms.filter((program) => paths[program] === undefined),
  haveNetwork: Object.keys(paths).length > 0 && !isolated,
  ocrLanguages,
});

/**
 * Finds the installed programs.
 * @param ocrLanguages the languages for tesseract. If the list is empty, tesseract is not used.
 * @throws Error if tesseract lacks the data for a language.
 */
export async function findTools(folders: readonly string[], ocrLanguages: readonly string[]): Promise<Tools> {
  const paths: Partial<Record<Program, string>> = {};
  for (const program of allPrograms) {
    if (program === 'tesseract' && ocrLanguages.length === 0) continue;
    const path = await locate(known[program].files, folders);
    if (path !== undefined) paths[program] = path;
  }
  const missing = paths.tesseract ? await missingLanguages(paths.tesseract, ocrLanguages) : [];
  if (missing.length > 0) throw new Error(`tesseract has no data for ${missing.join(', ')}`);
  const isUsed = Object.keys(paths).length > 0;
  return { paths, canIsolate: isUsed && (await canIsolate()), ocrLanguages: ocrLanguages.join('+') };
}
