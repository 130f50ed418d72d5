import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extension } from 'mime-types';
import type { ConversionTask, Converted, Converter } from '../converter.ts';
import { requireUnencrypted } from '../require-unencrypted.ts';
import { requireSmallArchive } from '../texts/unpacked.ts';
import { requireSmall } from '../whole-file.ts';
import { programPath } from './programs.ts';
import { runProgram } from './run-program.ts';

const vendor = (types: readonly string[]): string[] => types.map((type) => `application/vnd.${type}`);
const openXml = 'openxmlformats-officedocument';
const openDocument = 'oasis.opendocument';

const kinds = {
  text: [
    'application/msword',
    'application/rtf',
    'text/rtf',
    ...vendor([
      `${openXml}.wordprocessingml.document`,
      `${openXml}.wordprocessingml.template`,
      'ms-word.document.macroenabled.12',
      `${openDocument}.text`,
      `${openDocument}.text-template`,
    ]),
  ],
  sheet: vendor([
    'ms-excel',
    `${openXml}.spreadsheetml.sheet`,
    'ms-excel.sheet.macroenabled.12',
    `${openDocument}.spreadsheet`,
  ]),
  slides: vendor([
    'ms-powerpoint',
    `${openXml}.presentationml.presentation`,
    `${openXml}.presentationml.slideshow`,
    'ms-powerpoint.presentation.macroenabled.12',
    `${openDocument}.presentation`,
  ]),
} as const;

const setting = (path: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

/**
 * Settings that disable macros and prevent LibreOffice from loading external resources to which a document refers.
 */
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${[
  setting('Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'),
  setting('Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'),
  setting('Office.Common/Security/Scripting', 'DisableActiveContent', 'true'),
  setting('Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'),
  setting('Office.Writer/Content/Update', 'Link', '0'),
  setting('Office.Calc/Content/Update', 'Link', '2'),
  setting('Inet/Settings', 'ooInetProxyType', '1'),
  setting('Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'),
  setting('Inet/Settings', 'ooInetHTTPProxyPort', '9'),
  setting('Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'),
  setting('Inet/Settings', 'ooInetHTTPSProxyPort', '9'),
].join('\n')}
</oor:items>
`;

type Workplace = Pick<ConversionTask, 'folder' | 'tools'>;

/** The input of LibreOffice. */
interface OfficeSource {
  /** The file extension. LibreOffice uses it to choose an import filter. */
  readonly extension: string;
  /** The import filter, if the extension does not determine it. */
  readonly reading?: string;
  /**
   * Writes the input to a path. LibreOffice creates lock files next to its input, so it cannot read a file directly
   * from the blob store.
   */
  readonly write: (path: string) => Promise<void>;
}

async function runOffice(
  { folder, tools }: Workplace,
  { extension: end, reading, write }: OfficeSource,
  filter: string,
): Promise<string> {
  const [profile, out] = [join(folder, 'profile'), join(folder, 'out')];
  await mkdir(join(profile, 'user'), { recursive: true });
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settings);
  const source = join(folder, `source.${end}`);
  await write(source);
  const args = [
    `-env:UserInstallation=${pathToFileURL(profile)}`,
    '--headless',
    '--norestore',
    '--nolockcheck',
    ...(reading === undefined ? [] : [`--infilter=${reading}`]),
  ];
  const { errorOutput } = await runProgram({
    path: programPath(tools, 'libreoffice'),
    args: [...args, '--convert-to', filter, '--outdir', out, source],
    folder,
    seconds: officeSeconds,
    tools,
  });
  const [made] = await readdir(out).catch(() => []);
  if (made === undefined)
    // LibreOffice exits with code 0 even if it cannot read the file.
    throw new Error(`LibreOffice cannot read the file: ${errorOutput || 'no error output'}`);
  return join(out, made);
}

const officeSeconds = 30;

/** LibreOffice's import filters for UTF-8 text, by file extension. */
const readings: Readonly<Record<string, string>> = {
  txt: 'Text (encoded):UTF8,LF,,,',
  csv: 'Text - txt - csv (StarCalc):44/59/9,34,76,1',
};

/** Uses LibreOffice to convert UTF-8 text to a PDF. @returns the path of the PDF in the task's folder. */
export const officePdfOf = (
  task: Workplace,
  source: Pick<OfficeSource, 'write'> & { readonly extension: 'txt' | 'html' | 'csv' },
): Promise<string> => {
  const reading = readings[source.extension];
  return runOffice(task, { ...source, ...(reading !== undefined && { reading }) }, 'pdf');
};

/** Matches the media types of office files that are zip archives or, when encrypted, compound files. */
const isPackage = /openxmlformats|opendocument|macroenabled/;

async function convertFile({ file, mimeType, ...task }: ConversionTask, filter: string): Promise<string> {
  await requireSmall(file);
  await requireSmallArchive(file);
  if (isPackage.test(mimeType)) await requireUnencrypted(file);
  const write = (path: string) => copyFile(file, path);
  return runOffice(task, { extension: extension(mimeType) || 'bin', write }, filter);
}

const convert =
  (mimeType: string, filter: string): Converter['convert'] =>
  async (task): Promise<Converted> => ({ mimeType, file: await convertFile(task, filter) });

/** Converts an office file to a PDF. Other converters create thumbnails, pictures and text from the PDF. */
export const officePdf: Converter = {
  name: 'office2pdf',
  makes: 'pdf',
  takes: Object.values(kinds).flat(),
  needs: ['libreoffice'],
  isIntermediate: true,
  convert: convert('application/pdf', 'pdf'),
};

const html = (name: string, takes: readonly string[], filter: string): Converter => ({
  name,
  makes: 'html',
  takes,
  needs: ['libreoffice'],
  convert: convert('text/html', filter),
});

export const officeHtml: readonly Converter[] = [
  html('word2html', kinds.text, 'html:HTML (StarWriter):EmbedImages'),
  html('sheet2html', kinds.sheet, 'html:HTML (StarCalc):EmbedImages'),
];
