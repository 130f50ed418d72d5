import type { Examples } from './example.ts';
import { atBoth } from './places.ts';

interface Kind {
  readonly name: 'Comment' | 'Annotation';
  readonly text: string;
  readonly more?: object;
}

const kinds: readonly Kind[] = [
  { name: 'Comment', text: 'Well done.' },
  { name: 'Annotation', text: 'A word is missing.', more: { xpath: 'file:content' } },
];

const both = kinds.map(({ name, text, more }): Examples => {
  const type = name.toLowerCase();
  const body = (said: string, external?: string) => ({
    'entity-type': type,
    text: said,
    ...more,
    ...(external && { entityId: external, origin: 'reader' }),
  });
  return atBoth(({ by, at }) => {
    const made = (own: object, body: object) => ({
      ...own,
      before: [{ route: `create${name}By${by}`, parameters: at, body, gives: { [type]: 'id' } }],
    });
    const outside = { ...at, entity: `reader-${type}-${by === 'Path' ? 1 : 2}` };
    const one = { ...at, comment: `{${type}}` };
    return {
      [`create${name}`]: { parameters: at, body: body(text), gives: { [type]: 'id' } },
      [`get${name}s`]: { parameters: { ...at, ...more } },
      [`get${name}`]: { parameters: one },
      [`update${name}`]: { parameters: one, body: body(`${text} Truly.`) },
      [`delete${name}`]: { parameters: one },
      [`getExternal${name}`]: made({ parameters: outside }, body(text, outside.entity)),
      [`updateExternal${name}`]: { parameters: outside, body: body(`${text} Truly.`, outside.entity) },
      [`deleteExternal${name}`]: { parameters: outside },
    };
  });
});

export const commentExamples: Examples = {
  ...Object.assign({}, ...both),
  ...atBoth(({ by, at }) => ({
    getAnnotationComments: {
      before: [
        {
          route: `createAnnotationBy${by}`,
          parameters: at,
          body: { 'entity-type': 'annotation', text: 'A word is missing.', xpath: 'file:content' },
          gives: { annotation: 'id' },
        },
      ],
      parameters: at,
      body: ['{annotation}'],
    },
  })),
};
