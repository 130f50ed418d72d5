import { textLimit } from './text-limit.ts';
import { unpacked } from './unpacked.ts';
import { textOfXml, type XmlRules } from './xml-text.ts';

/** The number formats of a workbook. */
interface NumberFormats {
  /** The number format of each cell style: a format code, or the number of a built-in format. */
  readonly ofStyles: ReadonlyArray<string | number>;
  /** Whether dates are counted from 1904 instead of 1900. */
  readonly isFrom1904: boolean;
}

async function numberFormats(file: string): Promise<NumberFormats> {
  const codes = new Map<string, string>();
  let ids: string[] = [];
  let isFrom1904 = false;
  const rules: XmlRules = {
    isLocal: true,
    texts: new Set(),
    ends: new Set(),
    hidden: new Set(),
    shown: (name, attributes) => {
      const { numFmtId: id = '0', formatCode, date1904 = '' } = attributes;
      if (name === 'workbookPr') isFrom1904 = /^(1|true)$/.test(date1904);
      else if (name === 'numFmt' && formatCode !== undefined) codes.set(id, formatCode);
      else if (name === 'cellXfs')
        ids = []; // the formats so far belong to named styles
      else if (name === 'xf') ids.push(id);
      return undefined;
    },
  };
  for await (const { bytes } of unpacked(file, /^xl\/(styles|workbook)\.xml$/))
    await textOfXml(bytes, rules, textLimit);
  return { ofStyles: ids.map((id) => codes.get(id) ?? Number(id)), isFrom1904 };
}

/** Removes the codes for fonts and fields from the header or footer of a sheet. */
export const withoutCodes = (text: string): string =>
  text.replaceAll(/&(?:"[^"&]*"|K[\dA-F]{6}|\d{1,3}|.)/g, (code) => (code === '&&' ? '&' : ' '));

/**
 * Creates the rules for extracting text from the sheets and shared strings of a workbook. Numbers are extracted both as
 * displayed and as stored.
 */
export async function cellRules(file: string): Promise<XmlRules> {
  const [{ ofStyles, isFrom1904 }, { SSF }] = await Promise.all([numberFormats(file), import('@e965/xlsx')]);
  let cell: { readonly type: string; readonly style: number } | undefined;
  const numberAs = (text: string): string => {
    const number = Number(text);
    const raw = String(number);
    try {
      const shown: string = SSF.format(ofStyles[cell?.style ?? 0] ?? 0, number, { date1904: isFrom1904 });
      return shown.trim() === raw ? raw : `${shown.trim()}\n${raw}`;
    } catch {
      return raw; // the number format is invalid
    }
  };
  const valueAs = (text: string): string => {
    // Shared strings are extracted elsewhere, and errors are not extracted at all.
    if (cell?.type === 's' || cell?.type === 'e') return '';
    if (cell?.type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
    return cell?.type === 'n' && text.trim() !== '' && Number.isFinite(Number(text)) ? numberAs(text) : text;
  };
  return {
    isLocal: true,
    texts: new Set([
      't',
      'v',
      ...['odd', 'even', 'first'].flatMap((page) => [`${page}Header`, `${page}Footer`]),
    ]),
    ends: new Set(['c', 'si', 'is', 'sheet', 'headerFooter', 'oddFooter', 'evenFooter', 'firstFooter']),
    hidden: new Set(['rPh']), // phonetic guides
    shown: (name, attributes) => {
      if (name === 'c') cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0) };
      return name === 'sheet' ? attributes.name : undefined;
    },
    format: (text, element) =>
      element === 'v' ? valueAs(text) : element === 't' ? text : withoutCodes(text),
  };
}
