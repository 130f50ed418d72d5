import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Programs that the server does not bring along: what they are called, and the names of their files. */
const known = {
  libreoffice: { title: 'LibreOffice', files: ['soffice', 'libreoffice'] },
  ffmpeg: { title: 'ffmpeg', files: ['ffmpeg'] },
  ffprobe: { title: 'ffprobe', files: ['ffprobe'] },
  tesseract: { title: 'tesseract', files: ['tesseract'] },
} as const;

export type Program = keyof typeof known;

/** Where the programs are that are installed. */
type ProgramPaths = Readonly<Partial<Record<Program, string>>>;

export interface Tools {
  readonly paths: ProgramPaths;
  /** Whether programs can be run without a network. */
  readonly canIsolate: boolean;
  /** Languages of tesseract, such as `eng+deu`. */
  readonly ocrLanguages: string;
}

export const noTools: Tools = { paths: {}, canIsolate: false, ocrLanguages: '' };

export const programTitle = (program: Program): string => known[program].title;

/** @throws when it is not there: callers find the converters that need it by `missingPrograms`. */
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
      const isThere = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
  return undefined;
}

/** Linux has namespaces, which some containers refuse to make. */
const canIsolate = (): Promise<boolean> =>
  run('unshare', ['--map-root-user', '--net', 'true'], { timeout: 5_000 }).then(
    () => true,
    () => false,
  );

/** The languages among those that tesseract lacks. */
async function missingLanguages(tesseract: string, wanted: readonly string[]): Promise<string[]> {
  const { stdout } = await run(tesseract, ['--list-langs'], { timeout: 10_000 });
  const installed = new Set(stdout.split(/\s+/));
  return wanted.filter((language) => !installed.has(language));
}

export const programReport = ({ paths, canIsolate: isolated, ocrLanguages }: Tools) => ({
  found: paths,
  missing: allPrograms.filter((program) => paths[program] === undefined),
  haveNetwork: Object.keys(paths).length > 0 && !isolated,
  ocrLanguages,
});

/**
 * Looks for the programs.
 * @param ocrLanguages without which tesseract is not used.
 * @throws Error for languages that tesseract lacks.
 */
export async function findTools(folders: readonly string[], ocrLanguages: readonly string[]): Promise<Tools> {
  const paths: Partial<Record<Program, string>> = {};
  for (const program of allPrograms) {
    if (program === 'tesseract' && ocrLanguages.length === 0) continue;
    const path = await locate(known[program].files, folders);
    if (path !== undefined) paths[program] = path;
  }
  const missing = paths.tesseract ? await missingLanguages(paths.tesseract, ocrLanguages) : [];
  if (missing.length > 0) throw new Error(`tesseract has no data of ${missing.join(', ')}`);
  const isUsed = Object.keys(paths).length > 0;
  return { paths, canIsolate: isUsed && (await canIsolate()), ocrLanguages: ocrLanguages.join('+') };
}
