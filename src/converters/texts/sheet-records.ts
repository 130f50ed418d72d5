import { decodeAny } from '../../blobs/text.ts';
import { withoutCodes } from './cell-text.ts';

/** The record types (MS-XLS 2.3.2) of texts outside of cells. */
const types = { header: 0x14, footer: 0x15, continued: 0x3c, textBox: 0x1b6, chartText: 0x100d } as const;

/** Reads the characters of a BIFF8 string, which begin with a byte of flags. */
function charactersAt(bytes: Buffer, offset: number, count: number): string {
  const isWide = ((bytes[offset] ?? 0) & 1) !== 0;
  const start = offset + 1;
  return bytes.subarray(start, start + count * (isWide ? 2 : 1)).toString(isWide ? 'utf16le' : 'latin1');
}

/** Reads a string that begins with its length, of `lengthBytes` bytes in BIFF8 and of one byte in older workbooks. */
function stringIn(record: Buffer, offset: number, lengthBytes: 1 | 2, isBiff8: boolean): string {
  if (!isBiff8) {
    const count = record[offset] ?? 0;
    return decodeAny(record.subarray(offset + 1, offset + 1 + count), false);
  }
  if (record.length <= offset + lengthBytes) return '';
  return charactersAt(record, offset + lengthBytes, record.readUIntLE(offset, lengthBytes));
}

/**
 * Yields the texts outside of cells that the library does not read from a workbook of Excel 2 to 2003: headers and
 * footers, text boxes, and the titles and names in charts.
 * @param isBiff8 whether Excel 97 or newer has written the workbook
 */
export function* textsOutsideOfCells(bytes: Buffer, isBiff8: boolean): Generator<string> {
  /** The number of characters of a text box that are still to be read; they are in the records that follow it. */
  let left = 0;
  for (let at = 0; at + 4 <= bytes.length; ) {
    const type = bytes.readUInt16LE(at);
    const record = bytes.subarray(at + 4, at + 4 + bytes.readUInt16LE(at + 2));
    at += 4 + bytes.readUInt16LE(at + 2);
    if (type === types.continued && left > 0) {
      const text = charactersAt(record, 0, left);
      left -= Math.max(1, text.length);
      yield text;
      continue;
    }
    left = type === types.textBox && isBiff8 && record.length >= 12 ? record.readUInt16LE(10) : 0;
    if (type === types.header || type === types.footer) yield withoutCodes(stringIn(record, 0, 2, isBiff8));
    else if (type === types.chartText) yield stringIn(record, 2, 1, isBiff8);
  }
}
