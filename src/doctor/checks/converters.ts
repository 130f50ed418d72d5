import { type Program, programReport, programTitle } from '../../converters/programs/programs.ts';
import { foundIf, type HealthCheck } from '../check.ts';

/** What does not work without a program. Tesseract is reported only if OCR_LANGUAGES is set. */
const uses: Readonly<Record<Program, string>> = {
  libreoffice: 'Older office files have no previews, and no office file can be converted to PDF.',
  ffmpeg: 'Videos have no thumbnails and cannot be converted.',
  ffprobe: 'The duration and size of videos are not recorded.',
  tesseract: 'Words in scanned pages and images are not found.',
};

/** Checks the programs that convert files. */
export const convertersCheck: HealthCheck = {
  name: 'converters',
  opens: {
    tools: {
      reason: 'The server does not start without these languages.',
      remedy: 'Install the data for these languages, or correct OCR_LANGUAGES.',
    },
  },
  run: async ({ config, tools }) => {
    const { missing, haveNetwork } = programReport(await tools());
    const isWanted = (program: Program) =>
      config.CONVERTER_FOLDERS.length > 0 && (program !== 'tesseract' || config.OCR_LANGUAGES.length > 0);
    return foundIf(
      ...missing.filter(isWanted).map((program) => ({
        level: program === 'tesseract' ? ('fault' as const) : ('advice' as const),
        problem: `${programTitle(program)} is not installed in a folder of CONVERTER_FOLDERS.`,
        reason: uses[program],
        remedy:
          'Install it and restart the server. CONVERTER_FOLDERS=none declares that no program is wanted.',
      })),
      haveNetwork && {
        level: 'advice',
        problem: 'The programs that convert files can use the network.',
        reason: 'A malicious file could make them send requests to computers in your network.',
        remedy: 'Allow unprivileged user namespaces (unshare), or forbid outgoing connections of the server.',
      },
    );
  },
};
