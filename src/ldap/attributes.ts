import type { Entry } from 'ldapts';

/** Returns the values of an attribute that are texts. Names of attributes do not distinguish case. */
export function textsOf(entry: Entry, name: string): string[] {
  const found = name.toLowerCase();
  return Object.entries(entry)
    .filter(([key]) => key.toLowerCase() === found)
    .flatMap(([, value]) => [value].flat())
    .filter((value) => typeof value === 'string');
}

/** The attribute of Active Directory that identifies an entry, as its servers write it. Its value is binary. */
export const objectGuid = 'objectGUID';

/** Writes a GUID as the tools of Active Directory do, which reverse the bytes of its first three parts. */
function guidText(bytes: Buffer): string {
  const part = (from: number, to: number) => Buffer.from(bytes.subarray(from, to));
  const reversed = [part(0, 4), part(4, 6), part(6, 8)].map((each) => each.reverse());
  return [...reversed, part(8, 10), part(10, 16)].map((each) => each.toString('hex')).join('-');
}

/** Returns the value that identifies an entry; undefined unless there is exactly one. */
export function subjectOf(entry: Entry, attribute: string): string | undefined {
  if (attribute.toLowerCase() === objectGuid.toLowerCase()) {
    const [value] = [entry[objectGuid]].flat();
    return Buffer.isBuffer(value) && value.length === 16 ? guidText(value) : undefined;
  }
  const values = textsOf(entry, attribute);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}
