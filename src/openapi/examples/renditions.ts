import type { Examples, Step } from './example.ts';
import { atBoth, report } from './places.ts';

const [xpath, type] = ['file:content', 'text/html'];

/** Starts a conversion that runs after the response. */
const scheduled: Step = {
  route: 'makeConversionByPath',
  parameters: { path: report },
  body: { type, async: true },
  gives: { conversion: 'conversionId' },
};

const byId = { before: [scheduled], parameters: { id: '{conversion}' } };

export const renditionExamples: Examples = {
  ...atBoth(({ at }) => ({
    getRendition: { parameters: { ...at, rendition: 'thumbnail' } },
    makeConversion: { parameters: at, body: { type } },
    getConversion: { parameters: { ...at, type } },
    makeConversionOfBlob: { parameters: { ...at, xpath }, body: { type } },
    getConversionOfBlob: { parameters: { ...at, xpath, type } },
    getPreview: { parameters: at },
    getPreviewOfBlob: { parameters: { ...at, xpath } },
  })),
  pollConversion: byId,
  getConversionResult: { parameters: byId.parameters },
  pollConversionByOtherName: { parameters: byId.parameters },
  getConversionResultByOtherName: { parameters: byId.parameters },
};
