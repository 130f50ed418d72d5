/** The letters of twenty scripts, and of Latin with and without accents. */
const alphabets = {
  Latin: 'aeiouáèßñłøœďšżâębcdfgklmnprst',
  Greek: 'αβγδεζηθικλμνξοπρστυφχψωάέήίόύώϊ',
  Cyrillic: 'абвгдежзийклмнопрстуфхцчшщыэюяёїђ',
  Armenian: 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռս',
  Georgian: 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძ',
  Hebrew: 'אבגדהוזחטיכלמנסעפצקרשת',
  Arabic: 'ابتثجحخدذرزسشصضطظعغفقكلمنهويآأ',
  Syriac: 'ܐܒܓܕܗܘܙܚܛܝܟܠܡܢܣܥܦܨܩܪܫܬ',
  Devanagari: 'अआइईउएकखगघचछजटठडतथदधनपफबमयरलव',
  Bengali: 'অআইউএকখগঘচছজটঠডতথদধনপফবমযরল',
  Tamil: 'அஆஇஈஉஎகஙசஞடணதநபமயரலவழளறன',
  Telugu: 'అఆఇఈఉఎకఖగఘచఛజటఠడతథదధనపఫబమయరల',
  Ethiopic: 'ሀለሐመሠረሰሸቀበተቸነኘአከወዘየደገጠ',
  Cherokee: 'ᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳ',
  Mongolian: 'ᠠᠡᠢᠣᠤᠥᠦᠨᠪᠫᠬᠭᠮᠯᠰᠱᠲᠳᠴᠵᠶᠷ',
  Hangul: '가각간나다라마바사아자차카타파하고노도로모보소',
  Han: '東京都庁展望台文書年報告会議日本中国語学生書店',
  Kana: 'あいうえおかきくけこがぎアイウエオカキクケコパピ',
  Thai: 'กขคงจฉชซดตถทนบปผพฟมยรลวสหอ',
  Khmer: 'កខគឃងចឆជឈញដឋឌឍណតថទធនបផព',
} as const;

type Script = keyof typeof alphabets;

export const scripts = Object.keys(alphabets) as Script[];

/** Scripts that are written without spaces, in which any part of a text is a word. */
export const isUnspaced = (script: Script): boolean => ['Han', 'Kana', 'Thai', 'Khmer'].includes(script);

/** Returns a function that returns numbers below a limit, always in the same order (mulberry32). */
export function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** The number of different words in each script. */
const vocabulary = 60;

/** Returns the words of a script. */
export function wordsOf(script: Script): string[] {
  const next = numbersFrom(scripts.indexOf(script) + 1);
  const letters = Array.from(alphabets[script]);
  return Array.from({ length: vocabulary }, () =>
    Array.from({ length: 3 + next(5) }, () => letters[next(letters.length)]).join(''),
  );
}

/** Different ways to write a word, all of which a search finds. */
export const writings: ReadonlyArray<(word: string) => string> = [
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.normalize('NFD'),
  (word) => word.slice(0, 1).toUpperCase() + word.slice(1),
];

const separators = [' ', ' ', ' ', '\u00a0', '\n', ' — ', '、', '“', '… ', '\u3000', ' (', '; '];

/** A document with words in one or two scripts. */
export interface DocumentInScripts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The words of the title and the description, as in the vocabulary. */
  readonly words: readonly string[];
}

/** Returns the same documents each time. */
export function documentsInScripts(count: number): DocumentInScripts[] {
  const next = numbersFrom(20_261_130);
  const words = scripts.map(wordsOf);
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  return Array.from({ length: count }, (_, nth) => {
    const used = [words[nth % scripts.length] ?? [], pick(words)];
    const all: string[] = [];
    const textOf = (length: number): string => {
      const picked = Array.from({ length }, () => pick(pick(used)));
      all.push(...picked);
      return picked.map((word) => pick(writings)(word) + pick(separators)).join('');
    };
    const title = textOf(2 + next(3));
    const description = textOf(4 + next(5));
    return { name: `d${String(nth).padStart(5, '0')}`, title, description, words: all };
  });
}
